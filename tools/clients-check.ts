/**
 * Checks with the real clients that they can read what this project ships: the plugin in its forms, the configurations
 * of Codex and Gemini CLI, the manifest of the MCPB bundle, the bill of materials. Then has each client start the hooks
 * of its plugin and claim its first card, against a scripted model. Fetches each client from the registry (some 500 MB
 * in all) and starts it with an empty home; none calls a real model. What cannot be fetched is skipped and reported.
 *
 * Usage: pnpm run check:clients
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { configurationFor } from '@specboard/mcp/calling'
import { firstClaim } from './clients-check/first-claim.ts'
import { hookClients } from './clients-check/hook-clients.ts'
import { hookFaults, makeBoard } from './clients-check/hooks.ts'
import { defaultUrl, mcpbManifest } from './distribution/files.ts'
import { mcpb } from './distribution/mcpb.ts'
import { root } from './package/root.ts'
import { materialsIn, materialsScript, materialsTools } from './release/materials.ts'

interface Check {
  readonly title: string
  /** The packages that it needs. */
  readonly tools: readonly string[]
  readonly command: readonly string[]
  /** The file that it reads, below its home. */
  readonly file?: readonly [path: string, text: string]
  /** What it prints when it has read the file correctly. */
  readonly says: RegExp
}

const configured = (client: 'codex' | 'gemini') => configurationFor(client, { url: defaultUrl, stdio: false })

const claude = '@anthropic-ai/claude-code@2.1.332'
const codex = '@openai/codex@0.169.0'
const gemini = '@google/gemini-cli@0.61.0'

const checks = (home: string): readonly Check[] => [
  {
    title: 'the plugin for Claude Code',
    tools: [claude],
    command: [
      'claude',
      'plugin',
      'validate',
      '--strict',
      '--profile',
      'directory',
      join(root, 'integrations/claude-code'),
    ],
    says: /Validation passed/,
  },
  {
    title: 'the marketplace for Claude Code',
    tools: [claude],
    command: ['claude', 'plugin', 'validate', '--strict', root],
    says: /Validation passed/,
  },
  {
    title: 'the plugin for Codex',
    tools: [codex],
    command: [
      'sh',
      '-c',
      `codex plugin marketplace add ${root} && codex plugin add specboard@specboard && codex mcp list`,
    ],
    says: /Added plugin `specboard`[\s\S]*specboard +mcp --toolsets core/,
  },
  {
    title: 'the extension for Gemini CLI',
    tools: [gemini],
    command: ['gemini', 'extensions', 'validate', join(root, 'integrations/gemini')],
    says: /has been successfully validated/,
  },
  {
    title: 'the plugin for Copilot CLI',
    tools: ['@github/copilot@1.0.102'],
    command: ['sh', '-c', `copilot plugin marketplace add ${root} && copilot plugin install specboard@specboard`],
    says: /installed successfully\. Installed 6 skills/,
  },
  {
    title: 'the configuration of Codex',
    tools: [codex],
    command: ['codex', 'mcp', 'list', '--json'],
    file: ['.codex/config.toml', configured('codex')],
    says: /"specboard"[\s\S]*streamable_http[\s\S]*SPECBOARD_API_KEY/,
  },
  {
    title: 'the configuration of Gemini CLI',
    tools: [gemini],
    command: ['gemini', 'mcp', 'list'],
    file: ['.gemini/settings.json', configured('gemini')],
    says: /specboard: http:\S+toolsets=core \(http\)/,
  },
  {
    title: 'the manifest of the MCPB bundle',
    tools: [mcpb],
    command: ['mcpb', 'validate', join(home, 'manifest.json')],
    file: ['manifest.json', JSON.stringify(mcpbManifest)],
    says: /passes/,
  },
  {
    title: 'the bill of materials',
    tools: materialsTools,
    command: [
      process.execPath,
      '--input-type=module',
      '-e',
      materialsScript,
      materialsIn(join(home, 'materials.json')),
    ],
    says: /^fits 1\.\d/,
  },
]

/** The time from the installation of the plugin to the first card (harness 2), seconds. */
const firstCardWithin = 120

const home = mkdtempSync(join(tmpdir(), 'specboard-clients-'))
// Codex requires its home to exist.
mkdirSync(join(home, '.codex'))
try {
  for (const check of checks(home)) {
    const { title, tools, says } = check
    const prefix = fetched(tools)
    if (prefix === undefined) {
      console.log(`skipped: ${title}, because ${tools[0]} could not be fetched`)
      continue
    }
    const said = outputOf(check, prefix)
    const isRead = says.test(said)
    console.log(`${isRead ? 'ok ' : 'BAD'} ${title} (${tools[0]})`)
    if (isRead) continue
    console.log(said)
    process.exitCode = 1
  }
  await checkSessions()
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** Has each client with hooks start those of its plugin, and claim its first card, in separate sessions. */
async function checkSessions(): Promise<void> {
  const board = await makeBoard(join(home, 'data'))
  try {
    for (const client of hookClients) {
      const prefix = fetched([client.tool])
      if (prefix === undefined) {
        console.log(`skipped: the sessions of ${client.title}, because ${client.tool} could not be fetched`)
        continue
      }
      const bin = join(prefix, 'node_modules/.bin')
      const folder = () => mkdtempSync(join(home, 'session-'))
      printCheck(`the hooks of ${client.title} (${client.tool})`, await hookFaults(client, board, bin, folder()))
      const { seconds, output: said } = await firstClaim(client, board, bin, folder())
      const when = seconds === undefined ? 'never claimed' : `claimed after ${seconds.toFixed(1)} s`
      const isSoon = seconds !== undefined && seconds <= firstCardWithin
      printCheck(`the first card in ${client.title}, ${when}`, isSoon ? [] : [said])
    }
  } finally {
    await board.service.stop()
  }
}

function printCheck(title: string, faults: readonly string[]): void {
  console.log(`${faults.length === 0 ? 'ok ' : 'BAD'} ${title}`)
  for (const fault of faults) console.log(fault)
  if (faults.length > 0) process.exitCode = 1
}

/** The folder that packages were installed in; undefined where they cannot be fetched. */
function fetched(tools: readonly string[]): string | undefined {
  const prefix = join(home, 'clients')
  try {
    execFileSync('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--prefer-offline', ...tools], {
      stdio: 'ignore',
    })
    return prefix
  } catch {
    return undefined
  }
}

/** The output of a client about its file, on both streams. */
function outputOf({ command, file }: Check, prefix: string): string {
  if (file !== undefined) {
    const path = join(home, file[0])
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, file[1])
  }
  const [program, ...args] = command
  try {
    const bin = join(prefix, 'node_modules/.bin')
    const paths = `${bin}:${process.env.PATH}`
    const env = { ...process.env, HOME: home, CODEX_HOME: join(home, '.codex'), COPILOT_OFFLINE: 'true', PATH: paths }
    // An absolute path is left unchanged.
    const path = program === 'sh' ? 'sh' : resolve(bin, program!)
    return execFileSync('sh', ['-c', '"$0" "$@" 2>&1', path, ...args], { cwd: prefix, env, encoding: 'utf8' })
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout || error)
  }
}
