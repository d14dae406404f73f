// Package prompts holds what an agent may ask a person besides approvals:
// questions, plans for review and the todo checklist. It checks the agent's
// arguments and turns answers into results; it draws nothing.
//
// A screen implements [Prompter]. An adapter decodes its wire's arguments and
// calls the function for the tool, such as Ask, ReviewPlan or ParseTodos.
package prompts
