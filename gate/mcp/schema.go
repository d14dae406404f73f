package mcp

// What models read about the tools, and the arguments that they take. More
// fields than these are let through: package prompts says what it can't use.

const approveText = "Decides on a tool call for Claude Code (--permission-prompt-tool). It is not for models to call."

const approveSchema = `{
	"type": "object",
	"properties": {
		"tool_name": {"type": "string", "description": "The tool that wants to run"},
		"input": {"type": "object", "description": "Its arguments"},
		"tool_use_id": {"type": "string"}
	},
	"required": ["tool_name", "input"]
}`

const askText = `Ask the person a question, and wait for the answer.
Use it when a decision is theirs to make or something can't be found out otherwise, not for leave to act: that is asked for by itself.
Pass one question, or up to 8 in "questions", which are shown together. Offer options where you can; the person may always answer in their own words.`

const askSchema = `{
	"type": "object",
	"properties": {
		"question": {"type": "string", "description": "What you want to know"},
		"options": ` + optionsSchema + `,
		"multi_select": {"type": "boolean", "description": "Several options may be chosen"},
		"header": {"type": "string", "description": "One or two words that name the question"},
		"questions": {
			"type": "array",
			"maxItems": 8,
			"description": "Several questions, instead of one",
			"items": {
				"type": "object",
				"properties": {
					"question": {"type": "string"},
					"options": ` + optionsSchema + `,
					"multi_select": {"type": "boolean"},
					"header": {"type": "string"}
				},
				"required": ["question"]
			}
		}
	}
}`

// optionsSchema leaves out that an option may be a bare text: some models'
// interfaces know no alternatives.
const optionsSchema = `{
			"type": "array",
			"items": {
				"type": "object",
				"properties": {
					"label": {"type": "string"},
					"description": {"type": "string"}
				},
				"required": ["label"]
			}
		}`

const enterPlanText = `Begin to plan for the rest of this turn. Until a plan is approved, edits, and commands that do more than read, are refused.
Use it for work that is large, or that can be done in ways between which the person should choose.`

const enterPlanSchema = `{
	"type": "object",
	"properties": {"reason": {"type": "string", "description": "Why this needs a plan, for the person"}}
}`

const exitPlanText = `Hand in a plan for the person to read. It is only for a turn that plans.
They approve it, or send it back with what is to be changed; then revise it and hand it in again.`

const exitPlanSchema = `{
	"type": "object",
	"properties": {"plan": {"type": "string", "description": "The whole plan, in markdown"}},
	"required": ["plan"]
}`

const todoText = `Show the person the list of tasks that you work through. Each call replaces the whole list; an empty one clears it.
Use it for work of several steps, and call it when a step begins or is done. Keep one item in progress at a time.`

const todoSchema = `{
	"type": "object",
	"properties": {
		"items": {
			"type": "array",
			"maxItems": 50,
			"items": {
				"type": "object",
				"properties": {
					"content": {"type": "string"},
					"status": {"type": "string", "enum": ["pending", "in_progress", "done"]}
				},
				"required": ["content", "status"]
			}
		}
	},
	"required": ["items"]
}`
