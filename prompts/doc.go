// Package prompts holds what an agent may ask a person besides approvals:
// questions, plans for review and the todo checklist. It checks the agent's
// arguments and turns answers into results; it draws nothing.
//
// A screen implements [Prompter], or [GroupPrompter] where it can show several
// questions together. An adapter decodes its wire's arguments and
// calls the function for the tool:
//
//   - ask_user_question: [ParseAsk], then [Ask] (APR-40)
//   - exit_plan_mode: [ReviewPlan] (APR-41)
//   - enter_plan_mode: [EnterPlan] (APR-42)
//   - todo: [ParseTodos] (APR-43)
//
// Results encode to the JSON that goes back to the agent, and errors are
// worded for the agent: they say what was wrong and what to do instead.
//
// # Who can answer
//
// A [Host] says whether anyone can. The zero Host reaches nobody, so that a
// caller who forgets to fill it in gets no answer rather than a made-up one,
// and no plan is approved by an empty or unknown answer.
//
// All functions may be called from any number of goroutines. Only
// [ReviewPlan] touches the file system.
package prompts
