/** When each client starts the hook program, and for which event (harness 3.1). */

/** The clients that have hooks. */
export const hookClients = ['claude-code', 'codex', 'gemini', 'cursor', 'copilot'] as const

export type HookClient = (typeof hookClients)[number]

/** When a client starts the hook program for an event. */
export interface Trigger {
  /** The client's name of the event. */
  readonly on: string
  /** A pattern of its tools, where the event has any. */
  readonly tools?: string
  readonly async?: boolean
}

export const hookTable: Readonly<Record<HookClient, Readonly<Record<string, readonly Trigger[]>>>> = {
  'claude-code': {
    session_start: [{ on: 'SessionStart' }],
    prompt: [{ on: 'UserPromptSubmit' }],
    before_edit: [{ on: 'PreToolUse', tools: 'Edit|Write|NotebookEdit' }],
    before_shell: [{ on: 'PreToolUse', tools: 'Bash|PowerShell' }],
    after_shell: [
      { on: 'PostToolUse', tools: 'Bash|PowerShell', async: true },
      { on: 'PostToolUseFailure', tools: 'Bash|PowerShell', async: true },
    ],
    claimed: [{ on: 'PostToolUse', tools: 'mcp__.*__(claim_card|claim_next_card|create_card)$', async: true }],
    before_compact: [{ on: 'PreCompact' }],
    stop: [{ on: 'Stop' }],
    subagent_start: [{ on: 'SubagentStart' }],
    subagent_stop: [{ on: 'SubagentStop' }],
    session_end: [{ on: 'SessionEnd', async: true }],
  },
  codex: {
    session_start: [{ on: 'SessionStart' }],
    prompt: [{ on: 'UserPromptSubmit' }],
    before_edit: [{ on: 'PreToolUse', tools: 'apply_patch' }],
    before_shell: [{ on: 'PreToolUse', tools: 'Bash' }],
    after_shell: [{ on: 'PostToolUse', tools: 'Bash' }],
    claimed: [{ on: 'PostToolUse', tools: 'claim_card|claim_next_card|create_card' }],
    before_compact: [{ on: 'PreCompact' }],
    stop: [{ on: 'Stop' }],
  },
  gemini: {
    session_start: [{ on: 'SessionStart' }],
    prompt: [{ on: 'BeforeAgent' }],
    before_edit: [{ on: 'BeforeTool', tools: 'write_file|replace' }],
    before_shell: [{ on: 'BeforeTool', tools: 'run_shell_command' }],
    after_shell: [{ on: 'AfterTool', tools: 'run_shell_command' }],
    claimed: [{ on: 'AfterTool', tools: '.*(claim_card|claim_next_card|create_card)' }],
    before_compact: [{ on: 'PreCompress' }],
    stop: [{ on: 'AfterAgent' }],
    session_end: [{ on: 'SessionEnd' }],
  },
  cursor: {
    session_start: [{ on: 'sessionStart' }],
    before_edit: [{ on: 'preToolUse', tools: 'Write' }],
    before_shell: [{ on: 'beforeShellExecution' }],
    after_shell: [{ on: 'afterShellExecution' }],
    claimed: [{ on: 'afterMCPExecution' }],
    before_compact: [{ on: 'preCompact' }],
    stop: [{ on: 'stop' }],
    session_end: [{ on: 'sessionEnd' }],
  },
  copilot: {
    session_start: [{ on: 'sessionStart' }],
    before_edit: [{ on: 'preToolUse', tools: 'create|edit' }],
    before_shell: [{ on: 'preToolUse', tools: 'bash|powershell' }],
    after_shell: [{ on: 'postToolUse', tools: 'bash|powershell' }],
    claimed: [{ on: 'postToolUse' }],
    before_compact: [{ on: 'preCompact' }],
    stop: [{ on: 'agentStop' }],
    subagent_start: [{ on: 'subagentStart' }],
    subagent_stop: [{ on: 'subagentStop' }],
    session_end: [{ on: 'sessionEnd' }],
  },
}
