/** How each client with hooks is pointed at the scripted model, with its form of the plugin (harness 2). */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../package/root.ts'
import type { Call } from './model.ts'

/** Where a client is run. */
export interface ClientLocation {
  /** Its home, which is otherwise empty. */
  readonly home: string
  /** The project that it works in. */
  readonly project: string
  readonly model: string
}

export interface HookClient {
  readonly title: string
  readonly tool: string
  /** Writes a file of the project with a text, and runs a command. */
  readonly edit: (place: ClientLocation, path: string, text: string) => Call
  readonly shell: (command: string) => Call
  /** The call that finds the tools of the plugin, if the client has the model search for them. */
  readonly search?: readonly Call[]
  /** The tool that claims a card, if the client does not list it. */
  readonly claims?: string
  /** Shell commands that install the plugin. */
  readonly install?: string
  readonly files?: (place: ClientLocation) => Readonly<Record<string, string>>
  readonly environment?: (place: ClientLocation) => Readonly<Record<string, string>>
  readonly command: readonly string[]
  /** The events that it reports in a session that edits, runs tests and ends. */
  readonly events: readonly string[]
}

const prompt = 'Round the prices, and run the tests.'

const usual = ['session_start', 'prompt', 'before_edit', 'before_shell', 'after_shell', 'stop']

export const hookClients: readonly HookClient[] = [
  {
    title: 'Claude Code',
    tool: '@anthropic-ai/claude-code@2.1.332',
    edit: ({ project }, path, text) => ({ tool: 'Write', input: { file_path: join(project, path), content: text } }),
    shell: command => ({ tool: 'Bash', input: { command, description: 'Runs it' } }),
    search: [{ tool: 'ToolSearch', input: { query: 'select:mcp__plugin_specboard_specboard__claim_next_card' } }],
    environment: ({ model }) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    command: [
      'claude',
      '-p',
      prompt,
      '--plugin-dir',
      join(root, 'integrations/claude-code'),
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash,Write,mcp__plugin_specboard_specboard',
    ],
    events: [...usual, 'session_end'],
  },
  {
    title: 'Codex',
    tool: '@openai/codex@0.169.0',
    edit: (_, path, text) => ({
      tool: 'apply_patch',
      input: `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch\n`,
    }),
    shell: command => ({ tool: 'exec_command', input: { cmd: command } }),
    // It starts before its servers are ready.
    search: [
      { tool: 'exec_command', input: { cmd: 'sleep 5' } },
      { tool: 'tool_search', input: { query: 'claim next card', limit: 4 } },
    ],
    claims: 'mcp__specboard__claim_next_card',
    install: `codex plugin marketplace add ${root} && codex plugin add specboard@specboard`,
    files: ({ model }) => ({
      '.codex/config.toml': [
        'model = "gpt-5.5"',
        'model_provider = "ours"',
        '[model_providers.ours]',
        'name = "ours"',
        `base_url = "${model}/v1"`,
        'wire_api = "responses"',
        '',
      ].join('\n'),
    }),
    command: [
      'codex',
      'exec',
      '--json',
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-bypass-hook-trust',
      prompt,
    ],
    events: usual,
  },
  {
    title: 'Gemini CLI',
    tool: '@google/gemini-cli@0.61.0',
    edit: ({ project }, path, text) => ({
      tool: 'write_file',
      input: { file_path: join(project, path), content: text },
    }),
    shell: command => ({ tool: 'run_shell_command', input: { command, description: 'Runs it' } }),
    install: `gemini extensions install ${join(root, 'integrations/gemini')} --consent --skip-settings`,
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      }),
    }),
    environment: ({ model }) => ({ GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'none' }),
    command: ['gemini', '-m', 'gemini-2.5-pro', '--skip-trust', '--yolo', '-p', prompt],
    events: [...usual, 'session_end'],
  },
  {
    title: 'Copilot CLI',
    tool: '@github/copilot@1.0.102',
    edit: ({ project }, path, text) => ({ tool: 'create', input: { path: join(project, path), file_text: text } }),
    shell: command => ({ tool: 'bash', input: { command, description: 'Runs it', mode: 'sync', initial_wait: 30 } }),
    install: `copilot plugin marketplace add ${root} && copilot plugin install specboard@specboard`,
    environment: ({ model }) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: model,
      COPILOT_MODEL: 'fake',
      COPILOT_PROVIDER_API_KEY: 'none',
    }),
    command: ['copilot', '-p', prompt, '--allow-all-tools'],
    events: ['session_start', 'before_edit', 'before_shell', 'after_shell', 'stop', 'session_end'],
  },
]

/** Writes files below a home. */
export function put(home: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
}
