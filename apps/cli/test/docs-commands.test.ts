import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Finished, runCommand, runCommandIn } from './support/command.ts'
import { World } from './support/world.ts'

/** The commands of the documentation are run here; a block that says `norun` is in the table of those that are not. */
const root = new URL('../../../', import.meta.url).pathname
const pages = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root }).toSorted()]
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }

/** Why a block is not run here, by its page and its first command. */
const notRun: Readonly<Record<string, string>> = {
  'README.md: npx specboard': 'takes the package from the registry; package.test.ts runs it from the tarball',
  'docs/start.md: npx specboard': 'takes the package from the registry; package.test.ts runs it from the tarball',
  'docs/deployment.md: npx specboard': 'takes the package from the registry; package.test.ts runs it from the tarball',
  'docs/client.md: npm install specboard': 'takes the package from the registry; package.test.ts installs the tarball',
  'docs/clients.md: codex plugin marketplace add specboard/specboard': 'needs Codex and the published repository',
  'docs/clients.md: copilot plugin marketplace add specboard/specboard':
    'needs Copilot CLI and the published repository',
  'docs/clients.md: gemini extensions install ./integrations/gemini --skip-settings': 'needs Gemini CLI',
  'docs/clients.md: claude plugin marketplace add specboard/specboard':
    'needs Claude Code and the published repository',
  'docs/command-line.md: specboard add "Mend the typo on the sign-in page" --take':
    'names a card that it makes; crew-verbs.test.ts runs the verbs',
  'docs/command-line.md: specboard login https://specboard.example.com':
    'needs a service of that name, and somebody who types; login.test.ts runs the verbs',
  'docs/deployment.md: pnpm package': 'needs Docker; deployment.test.ts holds the files against the settings',
  'docs/deployment.md: docker compose -f deploy/compose.yaml stop':
    'needs Docker; mounted-folder.test.ts restores into a folder that keeps its name',
  'docs/deployment.md: export AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…':
    'needs an S3 store and serves until it is stopped; attachment-places.test.ts uses one',
  'docs/deployment.md: export SPECBOARD_DATABASE_PASSWORD_FILE=/run/secrets/database':
    'needs a PostgreSQL server and serves until it is stopped; postgres-verbs.test.ts runs one',
  "docs/deployment.md: export SPECBOARD_DATABASE_READ_URL='postgres://specboard@replica.example.com/specboard?sslmode=verify-full&sslrootcert=/etc/ca.pem'":
    'needs a PostgreSQL server and its replica; read-replica.test.ts runs both',
  "docs/deployment.md: specboard migrate --from sqlite:/srv/old --to 'postgres://specboard@db.example.com/specboard' --data-dir /srv/specboard":
    'needs a PostgreSQL server; migrate.test.ts moves there and back',
  'docs/deployment.md: PGPASSWORD="$(cat "$SPECBOARD_DATABASE_PASSWORD_FILE")" pg_dump --format=custom --file=specboard.dump "$SPECBOARD_DATABASE_URL"':
    'needs a PostgreSQL server that is a service of the machine',
  "docs/deployment.md: pg_basebackup --pgdata=base --checkpoint=fast --wal-method=stream --dbname='postgres://replicator@db.example.com?sslmode=verify-full&sslrootcert=/etc/ca.pem'":
    'copies a whole PostgreSQL server, as a role of its own',
  'docs/deployment.md: PGPASSWORD="$(cat "$SPECBOARD_DATABASE_PASSWORD_FILE")" pg_restore --exit-on-error --dbname="$SPECBOARD_DATABASE_URL" specboard.dump':
    'needs an empty database of a PostgreSQL server',
  'docs/deployment.md: PGPASSWORD="$(cat "$SPECBOARD_DATABASE_PASSWORD_FILE")" psql --file=deploy/by-board.sql "$SPECBOARD_DATABASE_URL"':
    'needs a PostgreSQL server; keys-by-board.test.ts runs the file',
  'docs/deployment.md: litestream restore -o ./restored/specboard.db s3://bucket/specboard':
    'needs Litestream and an S3 store; litestream.test.ts restores from a folder',
  'docs/deployment.md: mkdir -m 700 trial && cp /srv/specboard/secret.key trial/':
    'needs Litestream and an S3 store; litestream.test.ts restores from a folder',
  'docs/deployment.md: zcat event-archives/*/2026-03.*.jsonl.gz | jq \'select(.action == "board_shared")\'':
    'reads archives of a service that ran for months; event-archives-crash.test.ts reads such files',
  'docs/deployment.md: helm install board deploy/helm': 'needs a cluster; deployment.test.ts renders the chart',
  'docs/deployment.md: npm install --global specboard':
    'changes the machine; deployment.test.ts has systemd verify the unit',
  'docs/forges.md: SPECBOARD_API_KEY=… npx -y specboard report --commit "$(git rev-parse HEAD)" reports/*.xml':
    'needs reports of a repository; report.test.ts runs it with them',
  'docs/forges.md: specboard ci setup --board PRO': 'needs a repository; report.test.ts runs it in one',
  'docs/forges.md: specboard call create_agent --name "CI shop" --kind ci --board_ids \'["<board id>"]\'':
    'needs the id of a board; ci-tokens.test.ts makes such an agent',
  'docs/for-agents.md: specboard watch SHO': 'prints events until it is stopped; verbs.test.ts runs it',
}

interface Command {
  readonly page: string
  readonly text: string
}

/** The commands of a block: its lines without comments and variables, continued ones as one. */
const commandsIn = (block: string): string[] =>
  block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map(line => line.replace(/(^|\s)#.*$/, '').trim())
    .filter(line => line !== '')

const blocks = pages.flatMap(page =>
  Array.from(readFileSync(join(root, page), 'utf8').matchAll(/^```sh([^\n]*)\n(.*?)^```$/gms), ([, tag, text]) => ({
    page,
    tag: tag!.trim(),
    text: text!,
  })),
)
const runnable = blocks.filter(({ tag }) => tag !== 'norun')
const http = runnable.filter(({ text }) => /\bcurl\b/.test(text))
const commands = runnable
  .filter(block => !http.includes(block))
  .flatMap(({ page, text }) => commandsIn(text).map((text): Command => ({ page, text })))

/** The words of a command line, quotes resolved. */
const words = (text: string): string[] =>
  Array.from(text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g), ([, single, double, bare]) => single ?? double ?? bare!)

const withoutVariables = (text: string): string => text.replace(/^(?:[A-Z_]+=\S+ )+/, '')
const specboard = /^(?:npx -y pnpm@12 |npx )?specboard (.+)$/
const pnpm = /^(?:npx -y pnpm@12|pnpm) (?:run )?([\w:-]+)/

const ofSpecboard = commands.flatMap(({ page, text }) => {
  const [, rest] = specboard.exec(withoutVariables(text)) ?? []
  return rest === undefined ? [] : [{ page, text: rest, args: words(rest) }]
})
/** The `specboard` commands in blocks that are not run: their verbs and flags are still checked against the help. */
const ofSkipped = blocks
  .filter(({ tag }) => tag === 'norun')
  .flatMap(({ page, text }) => commandsIn(text).map(text => ({ page, text })))
  .flatMap(({ page, text }) => {
    const [, rest] = /^(?:npx )?specboard (.+)$/.exec(withoutVariables(text)) ?? []
    return rest === undefined ? [] : [{ page, text: rest, args: words(rest) }]
  })
const ofPnpm = commands.filter(({ text }) => {
  const plain = withoutVariables(text)
  return !specboard.test(plain) && pnpm.test(plain)
})

/** Verbs that keep running, replace something or judge the machine: only their flags are checked against the help. */
const stays = new Set(['serve', 'restore', 'doctor'])

let world: World
let folder: string
let boardId: string

beforeAll(async () => {
  world = await World.start()
  folder = mkdtempSync(join(tmpdir(), 'specboard-docs-'))
  writeFileSync(join(folder, 'idea.json'), JSON.stringify({ title: 'From a file' }))
  const board = await world.ok('create_board', { name: 'Product', description: '', key: 'PRO' })
  boardId = board.id
})

afterAll(async () => {
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

const inFolder = (args: readonly string[]): Promise<Finished> => {
  const variables = {
    SPECBOARD_URL: world.running.url,
    SPECBOARD_API_KEY: world.owner.key,
    SPECBOARD_DATA_DIR: world.folder,
    ...world.variables,
  }
  return runCommandIn({ variables, folder }, ...args)
}

test('every command is one of specboard, pnpm or curl, or its block says norun', () => {
  const usedPages = new Set([...ofSpecboard.map(({ page }) => page), ...ofPnpm.map(({ page }) => page)])
  const others = commands.filter(({ text }) => {
    const plain = withoutVariables(text)
    return !specboard.test(plain) && !pnpm.test(plain)
  })
  expect(others).toEqual([])
  expect(usedPages.size).toBeGreaterThan(3)
  expect(blocks.filter(({ tag }) => tag !== '' && tag !== 'norun')).toEqual([])
})

test('every block that says norun has a reason, and every reason a block', () => {
  const skipped = blocks.filter(({ tag }) => tag === 'norun').map(({ page, text }) => `${page}: ${commandsIn(text)[0]}`)
  expect(skipped.toSorted()).toEqual(Object.keys(notRun).toSorted())
})

test.each(ofPnpm)('$page: $text', ({ text }) => {
  const [, name] = pnpm.exec(withoutVariables(text))!
  expect(['install', ...Object.keys(scripts)]).toContain(name)
})

describe('specboard', () => {
  test.each(ofSpecboard.filter(({ args }) => !stays.has(args[0]!)))('$page: $text', async ({ args }) => {
    const { code, errors } = await inFolder(args)
    expect(code, errors).toBe(0)
  })

  const onlyRead = [...ofSpecboard.filter(({ args }) => stays.has(args[0]!)), ...ofSkipped]
  test.each(onlyRead)('$page: $text', async ({ args }) => {
    const words = args.slice(0, args.findIndex(word => word.startsWith('-')) >>> 0)
    const { code, output } = await runCommand(...words, '--help')
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(args[0] === 'call' ? `specboard call ${args[1]}` : `Usage: specboard ${args[0]}`),
    ])
    const flags = args.filter(word => word.startsWith('-')).map(word => word.split('=')[0]!)
    for (const flag of flags) expect(output).toContain(flag)
  })
})

describe('over HTTP', () => {
  test.each(http)('$page', async ({ text }) => {
    const ideation = await world.ok('create_ideation', { board_id: boardId, title: 'Idea' })
    const script = text
      .replaceAll('localhost:8100', world.running.url.replace('http://', ''))
      .replaceAll('dash_…', world.owner.key)
      .replaceAll('<board_id>', boardId)
      .replaceAll('<ideation_id>', ideation.id)
    const answers = await answersOf(script, { KEY: world.owner.key })
    for (const { detail } of answers.slice(0, -1)) expect(detail).toBeUndefined()
    // The page shows the refusal of its last call.
    expect(answers.at(-1)!.detail?.error).toBe(text.includes('/move') ? 'INVALID_TRANSITION' : undefined)
  })
})

/** What the calls of a shell script answered. */
function answersOf(script: string, variables: Readonly<Record<string, string>>) {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly detail?: { readonly error: string } }[]>()
  // A line for each answer: curl prints them one after the other.
  const lined = script.replaceAll('curl -s', `curl -s -w '\\n'`)
  execFile('bash', ['-euc', lined], { env: { ...process.env, ...variables } }, (error, stdout) =>
    error === null
      ? resolve(
          stdout
            .trim()
            .split('\n')
            .map(line => JSON.parse(line)),
        )
      : reject(error),
  )
  return promise
}
