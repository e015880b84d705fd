/** The output of a hook, in each client's form (harness 3.1). Pure. */
import type { ClientName } from './exit-code.ts'

/** The parts of the service's answer that are passed on to a client. */
export interface ServiceAnswer {
  readonly context: string | null
  readonly deny: string | null
  readonly message: string | null
}

/** The standard output if there is nothing to report. */
export const silence = (client: ClientName | undefined): string =>
  client === 'gemini' || client === 'cursor' ? '{}' : ''

/** The answer of a hook in the form of a client; `eventName` is the client's own name for the event. */
export function answerFor(
  client: ClientName,
  event: string,
  eventName: string | undefined,
  answer: ServiceAnswer,
): string {
  const value = forms[client](event, eventName, answer)
  return value === undefined ? silence(client) : JSON.stringify(value)
}

type Form = (event: string, eventName: string | undefined, answer: ServiceAnswer) => object | undefined

const usualNames: Readonly<Record<string, string>> = {
  session_start: 'SessionStart',
  prompt: 'UserPromptSubmit',
  before_edit: 'PreToolUse',
  before_shell: 'PreToolUse',
  after_shell: 'PostToolUse',
  claimed: 'PostToolUse',
  stop: 'Stop',
  subagent_start: 'SubagentStart',
}

/** Events whose answer may contain a context for the model, in the form of Claude Code. */
const withContext = new Set(Object.keys(usualNames))

const forms: Readonly<Record<ClientName, Form>> = {
  'claude-code': (event, name, answer) => hooked(event, name, answer),
  codex: (event, name, answer) =>
    event === 'stop'
      ? answer.context === null
        ? undefined
        : { decision: 'block', reason: answer.context }
      : hooked(event, name, answer),
  gemini: (event, name, { context, deny, message }) => {
    const person = message === null ? {} : { systemMessage: message }
    if (deny !== null) return { decision: 'deny', reason: deny, ...person }
    if (context === null) return message === null ? undefined : person
    if (event === 'stop') return { decision: 'deny', reason: context, ...person }
    return { hookSpecificOutput: { hookEventName: name ?? usualNames[event], additionalContext: context }, ...person }
  },
  copilot: (event, _name, { context, deny }) => {
    if (deny !== null) return { permissionDecision: 'deny', permissionDecisionReason: deny }
    if (context === null) return undefined
    return event === 'stop' ? { decision: 'block', reason: context } : { additionalContext: context }
  },
  cursor: (event, _name, { context, deny }) => {
    if (deny !== null) return { permission: 'deny', agent_message: deny }
    if (context === null) return undefined
    if (event === 'stop') return { followup_message: context }
    // It accepts a context only at the beginning of a session.
    return event === 'session_start' ? { additional_context: context } : undefined
  },
}

function hooked(
  event: string,
  name: string | undefined,
  { context, deny, message }: ServiceAnswer,
): object | undefined {
  const hookEventName = name ?? usualNames[event]
  const specific = {
    ...(deny !== null && { permissionDecision: 'deny', permissionDecisionReason: deny }),
    ...(context !== null && deny === null && withContext.has(event) && { additionalContext: context }),
  }
  const person = message === null ? {} : { systemMessage: message }
  if (Object.keys(specific).length === 0) return message === null ? undefined : person
  return { hookSpecificOutput: { hookEventName, ...specific }, ...person }
}
