/** The input that each client passes to a hook, read into one form (harness 3.1). Pure. */
import type { ClientName } from './exit-code.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What a hook reads from its input; this never includes texts of prompts, answers or files. */
export interface HookInput {
  readonly session: string | undefined
  readonly subagent: string | undefined
  readonly cwd: string | undefined
  readonly model: string | undefined
  readonly clientVersion: string | undefined
  /** The client's own name of the event, which its answer repeats. */
  readonly eventName: string | undefined
  readonly source: string | undefined
  readonly reason: string | undefined
  /** The client's name of the tool. */
  readonly tool: string
  readonly toolCall: string | undefined
  readonly command: string | undefined
  readonly output: string | undefined
  readonly durationMs: number | undefined
  /** Files to be edited, as the client names them. */
  readonly files: readonly string[]
  readonly claimed: readonly string[]
  readonly transcript: string | undefined
  readonly stopActive: boolean
  readonly background: boolean
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const firstText = (...values: readonly unknown[]): string | undefined =>
  values.map(text).find(value => value !== undefined)

export const fieldsIn = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** Fields that a client may pass as JSON in a text. */
function fieldsOrJson(value: unknown): Fields {
  if (typeof value !== 'string') return fieldsIn(value)
  try {
    return fieldsIn(JSON.parse(value))
  } catch {
    return {}
  }
}

/** Reads the input of a hook. */
export function readInput(client: ClientName, input: Fields): HookInput {
  const tool = firstText(input.tool_name, input.toolName) ?? ''
  const toolInput = fieldsOrJson(input.tool_input ?? input.toolArgs)
  const response = input.tool_response ?? input.toolResult ?? input.result_json
  const command = firstText(toolInput.command, input.command)
  const isPatch = tool === 'apply_patch'
  return {
    session: firstText(input.session_id, input.sessionId, input.conversation_id),
    subagent: firstText(input.agent_id, input.agentId, input.subagent_id),
    cwd: firstText(input.cwd, (Array.isArray(input.workspace_roots) ? input.workspace_roots : [])[0]),
    model: firstText(input.model, fieldsIn(input.model).id),
    clientVersion: firstText(input.cursor_version, input.client_version),
    eventName: firstText(input.hook_event_name),
    source: firstText(input.source, input.trigger),
    reason: firstText(input.reason, input.stopReason, input.status),
    tool,
    toolCall: firstText(input.tool_use_id, input.toolCallId),
    command: isPatch ? undefined : command,
    output: outputIn(client, input, response),
    durationMs: [input.duration_ms, input.duration].find(
      (value): value is number => typeof value === 'number' && value >= 0,
    ),
    files: isPatch
      ? filesOfPatch(command ?? '')
      : tool === '' || editTools.test(tool)
        ? [toolInput.file_path, toolInput.notebook_path, toolInput.path, toolInput.target_file].flatMap(
            value => text(value) ?? [],
          )
        : [],
    claimed: tool === '' || claimTools.test(tool) ? claimedIn(toolInput, response) : [],
    transcript: firstText(input.transcript_path),
    stopActive: input.stop_hook_active === true || (typeof input.loop_count === 'number' && input.loop_count > 0),
    background: Array.isArray(input.background_tasks) && input.background_tasks.length > 0,
  }
}

/** The output of a command, as passed by the client. */
function outputIn(client: ClientName, input: Fields, response: unknown): string | undefined {
  const fields = fieldsIn(response)
  switch (client) {
    case 'claude-code':
      if (typeof input.error === 'string') return input.error
      return typeof fields.stdout === 'string' ? `${fields.stdout}${text(fields.stderr) ?? ''}` : undefined
    case 'codex':
      return typeof response === 'string' ? response : undefined
    case 'gemini':
      return text(fields.llmContent)
    case 'copilot':
      return text(fields.textResultForLlm)
    case 'cursor':
      return text(input.output)
  }
}

/** The files in a patch: only its headers are read. */
const filesOfPatch = (patch: string): string[] =>
  patch.split('\n').flatMap(line => {
    const [, file] = /^\*\*\* (?:Update File|Add File|Delete File|Move to): (\S.*)$/.exec(line.trimEnd()) ?? []
    return file ?? []
  })

const reference = /^[A-Z][A-Z0-9]{1,9}-\d{1,9}$/

/** Tools that change a file; Copilot starts a hook for every tool. */
const editTools = /edit|write|create|patch|replace|delete/i

/** Our tools that claim a card for the caller, whatever prefix a client adds to their names. */
const claimTools = /(?:claim_card|claim_next_card|create_card)$/

/** The cards that a call of a claim tool names: its argument, and the first reference of its answer. */
function claimedIn(toolInput: Fields, response: unknown): string[] {
  const cardId = text(toolInput.card_id)
  // JSON within a JSON text has escaped quotes.
  const answer = JSON.stringify(response ?? null).replaceAll('\\', '')
  const ref = /"ref" ?: ?"([A-Z][A-Z0-9]{1,9}-\d{1,9})"/.exec(answer)?.[1]
  const isId = cardId !== undefined && (reference.test(cardId.toUpperCase()) || /^[0-9a-f-]{36}$/.test(cardId))
  return [...new Set([...(isId ? [cardId] : []), ...(ref === undefined ? [] : [ref])])]
}
