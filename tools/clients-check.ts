/**
 * Has the clients themselves read what this project gives them: plugin and marketplace of Claude Code, the
 * configurations of Codex and Gemini CLI, the manifest of the MCPB bundle. Fetches each client from the registry (together some
 * 500 MB) and starts it with an empty home; none of them calls a model.
 *
 * Usage: pnpm run check:clients
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { configurationFor } from '@specboard/mcp'
import { mcpbManifest, usualUrl } from './distribution/files.ts'
import { mcpb } from './distribution/mcpb.ts'
import { root } from './package/root.ts'

interface Check {
  readonly title: string
  readonly tool: string
  readonly command: readonly string[]
  /** The file that it reads, below its home. */
  readonly file?: readonly [path: string, text: string]
  /** What it says when it has read the file as it was meant. */
  readonly says: RegExp
}

const configured = (client: 'codex' | 'gemini') => configurationFor(client, { url: usualUrl, stdio: false })

const checks = (home: string): readonly Check[] => [
  {
    title: 'the plugin for Claude Code',
    tool: '@anthropic-ai/claude-code@2.1.330',
    command: ['claude', 'plugin', 'validate', join(root, 'integrations/claude-code')],
    says: /Validation passed/,
  },
  {
    title: 'the marketplace for Claude Code',
    tool: '@anthropic-ai/claude-code@2.1.330',
    command: ['claude', 'plugin', 'validate', root],
    says: /Validation passed/,
  },
  {
    title: 'the configuration of Codex',
    tool: '@openai/codex@0.169.0',
    command: ['codex', 'mcp', 'list', '--json'],
    file: ['.codex/config.toml', configured('codex')],
    says: /"specboard"[\s\S]*streamable_http[\s\S]*SPECBOARD_API_KEY/,
  },
  {
    title: 'the configuration of Gemini CLI',
    tool: '@google/gemini-cli@0.61.0',
    command: ['gemini', 'mcp', 'list'],
    file: ['.gemini/settings.json', configured('gemini')],
    says: /specboard: http:\S+toolsets=core \(http\)/,
  },
  {
    title: 'the manifest of the MCPB bundle',
    tool: mcpb,
    command: ['mcpb', 'validate', join(home, 'manifest.json')],
    file: ['manifest.json', JSON.stringify(mcpbManifest)],
    says: /passes/,
  },
]

const home = mkdtempSync(join(tmpdir(), 'specboard-clients-'))
try {
  for (const check of checks(home)) {
    const said = saidBy(check)
    const isRead = check.says.test(said)
    console.log(`${isRead ? 'ok ' : 'BAD'} ${check.title} (${check.tool})`)
    if (isRead) continue
    console.log(said)
    process.exitCode = 1
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** What a client says of its file, on both outputs. */
function saidBy({ tool, command, file }: Check): string {
  if (file !== undefined) {
    const path = join(home, file[0])
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, file[1])
  }
  const [program, ...args] = command
  const prefix = join(home, 'clients')
  try {
    execFileSync('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--prefer-offline', tool], {
      stdio: 'ignore',
    })
    const env = { ...process.env, HOME: home, CODEX_HOME: join(home, '.codex') }
    const path = join(prefix, 'node_modules/.bin', program!)
    return execFileSync('sh', ['-c', '"$0" "$@" 2>&1', path, ...args], { cwd: home, env, encoding: 'utf8' })
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout || error)
  }
}
