import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { registry } from '@specboard/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runCommandIn } from './support/command.ts'
import { commandLine } from './support/command-line.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let folder: string
let variables: Record<string, string>
let board: { id: string; key: string }

beforeAll(async () => {
  world = await World.start()
  variables = { SPECBOARD_URL: world.running.url, SPECBOARD_API_KEY: world.owner.key }
  board = await world.ok('create_board', { name: 'Product', description: '' })
})

afterAll(() => world.stop())

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-verbs-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: readonly string[]) => runCommandIn({ variables, folder }, ...args)

describe('call', () => {
  test('takes flat arguments, and prints what the operation answers', async () => {
    const result = await run('call', 'create_ideation', '--board_id', 'PRO', '--title', 'By flags', '--labels', 'a,b')
    expect([result.code, result.errors]).toEqual([0, ''])
    expect(JSON.parse(result.output)).toMatchObject({ title: 'By flags', labels: ['a', 'b'], board_id: board.id })
  })

  test.each<[string, (text: string) => { args: string[]; input?: string }]>([
    ['JSON', text => ({ args: [text] })],
    [
      'a file',
      text => {
        writeFileSync(join(folder, 'data.json'), text)
        return { args: ['@data.json'] }
      },
    ],
    ['standard input', text => ({ args: ['-'], input: text })],
  ])('takes --data from %s', async (_, argsFor) => {
    const { args, input } = argsFor(JSON.stringify({ title: 'By data', description: 'whole' }))
    const around = { variables, folder, ...(input !== undefined && { input }) }
    const { output } = await runCommandIn(around, 'call', 'create_ideation', '--board_id', 'PRO', '--data', ...args)
    expect(JSON.parse(output)).toMatchObject({ title: 'By data', description: 'whole' })
  })

  test('--fields and --query narrow the answer', async () => {
    const [named, found] = await Promise.all([
      run('call', 'list_boards', '--fields', 'name'),
      run('call', 'list_boards', '--query', '$[*].name'),
    ])
    expect(JSON.parse(named.output)).toEqual([{ id: board.id, name: 'Product' }])
    expect(JSON.parse(found.output)).toEqual(['Product'])
  })

  test('a refusal is printed as JSON with exit code 1, wrong use is told with 2', async () => {
    const [refused, faulty, unknown, path, data] = await Promise.all([
      run('call', 'get_board', '--board_id', 'none'),
      run('call', 'create_ideation', '--board_id', 'PRO'),
      run('call', 'fly'),
      run('call', 'list_boards', '--query', '$['),
      run('call', 'list_boards', '--data', '[]'),
    ])
    expect([refused.code, JSON.parse(refused.output).detail.error]).toEqual([1, 'NOT_FOUND'])
    expect([faulty.code, JSON.parse(faulty.output).detail[0].loc]).toEqual([1, ['title']])
    expect([unknown.code, path.code, data.code]).toEqual([2, 2, 2])
    expect(unknown.errors).toContain('call --list')
    expect(path.errors).toContain('JSONPath')
  })

  test('--list names every operation, or those of a word; --help says what one takes', async () => {
    const [all, some, json, none, help] = await Promise.all([
      run('call', '--list'),
      run('call', '--list', 'webhook'),
      run('call', '--list', 'webhook', '--json'),
      run('call', '--list', 'teapot', '--json'),
      run('call', 'move_card', '--help'),
    ])
    expect(all.output.trim().split('\n')).toHaveLength(registry.length)
    expect(some.output).toMatch(/^create_webhook +\S/m)
    expect(some.output).not.toContain('create_card')
    const { operations } = JSON.parse(json.output)
    expect(operations).toHaveLength(some.output.trim().split('\n').length)
    expect(operations).toContainEqual({
      name: 'create_webhook',
      permission: 'WEBHOOKS_MANAGE',
      description: expect.stringMatching(/^\S.*\.$/),
    })
    expect([none.code, JSON.parse(none.output)]).toEqual([1, { operations: [] }])
    expect(help.output).toMatch(/--target_status +string; required/)
  })

  test('uploads and downloads files', async () => {
    const scene = await Scene.on(world)
    const card = await scene.card()
    writeFileSync(join(folder, 'note.txt'), 'what is attached')
    const place = ['--board_id', scene.boardId, '--card_id', card]
    const upload = await run('call', 'upload_attachment', ...place, '--file', 'note.txt')
    const { id } = JSON.parse(upload.output)
    const download = await run('call', 'download_attachment', ...place, '--attachment_id', id, '-o', 'copy.txt')
    expect([upload.code, download.code, download.output]).toEqual([0, 0, ''])
    expect(readFileSync(join(folder, 'copy.txt'), 'utf8')).toBe('what is attached')
  })

  test('without a key it says where one comes from', async () => {
    const { code, errors } = await runCommandIn({ folder }, 'call', 'list_boards')
    expect([code, errors]).toEqual([2, expect.stringContaining('specboard key create')])
  })
})

test('watch prints each event as a line, and goes on after the service was away', async () => {
  const own = await World.start()
  const { id: board_id } = await own.ok('create_board', { name: 'Watched', description: '' })
  const { command, args } = commandLine('watch', 'Watched', '--after', '1', '--json')
  const env = { ...process.env, SPECBOARD_URL: own.running.url, SPECBOARD_API_KEY: own.owner.key }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    await own.ok('create_ideation', { board_id, title: 'First' })
    expect(JSON.parse(String((await lines.next()).value))).toMatchObject({ sequence: 2, action: 'ideation_created' })
    const warning = createInterface({ input: child.stderr })[Symbol.asyncIterator]().next() as Promise<{
      value: string
    }>
    const whileStopped = async () => expect((await warning).value).toContain('trying again')
    const back = await own.restart({ port: own.running.port }, { whileStopped })
    await back.ok('create_ideation', { board_id, title: 'Second' })
    expect(JSON.parse(String((await lines.next()).value))).toMatchObject({ sequence: 3 })
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    await back.stop()
  } finally {
    child.kill('SIGKILL')
  }
})

describe('export and import', () => {
  test('a folder is packed and imported; the report is a table, its problems lie beside the input', async () => {
    mkdirSync(join(folder, 'backlog/tasks'), { recursive: true })
    const task = '---\nid: task-1\ntitle: Log in\nstatus: Sleeping\n---\n\n## Description\n\nText\n'
    writeFileSync(join(folder, 'backlog/tasks/task-1 - Log-in.md'), task)
    const dry = await run('import', 'backlog', '--name', 'From a folder', '--dry-run')
    expect([dry.code, dry.errors]).toEqual([0, ''])
    expect(dry.output).toMatch(/^backlog-md, no board: a dry run/)
    const { code, output } = await run('import', 'backlog', '--name', 'From a folder')
    expect(code).toBe(0)
    expect(output).toMatch(/^kind +read +created +updated +unchanged +skipped$/m)
    expect(output).toMatch(/^card +1 +1 +0 +0 +0$/m)
    const problems = readFileSync(join(folder, 'backlog.problems.jsonl'), 'utf8').trim().split('\n')
    expect(problems.map(line => JSON.parse(line).reason).join()).toContain('Sleeping')
  })

  test('an exported board is a file under the name of the service, and comes in again', async () => {
    await world.ok('create_board', { name: 'Leaves', description: '' })
    const { code, output, errors } = await run('export', 'Leaves', '--json')
    expect([code, errors]).toEqual([0, ''])
    const { file } = JSON.parse(output)
    expect(readdirSync(folder)).toEqual([file.slice(folder.length + 1)])
    const report = await run('import', file, '--no-keep-ids', '--name', 'Comes', '--json')
    expect(JSON.parse(report.output)).toMatchObject({ format: 'specboard', created: { board: 1 } })
  })

  test('a file of no format is refused, a format that there is not is wrong use', async () => {
    writeFileSync(join(folder, 'notes.bin'), 'no backlog')
    const [file, format] = await Promise.all([
      run('import', 'notes.bin'),
      run('import', 'notes.bin', '--format', 'zzz', '--json'),
    ])
    expect([file.code, format.code, JSON.parse(format.output).detail.error]).toEqual([1, 2, 'WRONG_USE'])
    expect(file.errors).toContain('import_board answered 400')
    expect(format.errors).toContain(
      'specboard, beads, backlog-md, task-master, spec-kit, csv, openspec, vibe-kanban, not "zzz"',
    )
    expect(readdirSync(folder)).toEqual(['notes.bin'])
  })

  test('a file that cannot be read or written is named', async () => {
    const [missing, nowhere] = await Promise.all([
      run('import', 'missing.jsonl'),
      run('export', 'PRO', '-o', join(folder, 'nowhere/x.zip')),
    ])
    expect([missing.code, nowhere.code]).toEqual([1, 1])
    expect(missing.errors).toBe('specboard: missing.jsonl cannot be read: there is no such file or folder.\n')
    expect(nowhere.errors).toMatch(/^specboard: \/.*\/nowhere\/x\.zip cannot be written: .*\n$/)
  })

  test('a symbolic link in a folder is refused with its name, and nothing is sent', async () => {
    mkdirSync(join(folder, 'backlog/tasks'), { recursive: true })
    writeFileSync(join(folder, 'backlog/tasks/task-1.md'), '---\nid: task-1\ntitle: One\n---\n')
    symlinkSync('task-1.md', join(folder, 'backlog/tasks/task-2.md'))
    const unreached = { SPECBOARD_URL: 'http://127.0.0.1:9', SPECBOARD_API_KEY: world.owner.key }
    const { code, errors } = await runCommandIn({ variables: unreached, folder }, 'import', 'backlog', '--board', 'PRO')
    expect([code, errors]).toEqual([1, expect.stringContaining('backlog/tasks/task-2.md is a symbolic link')])
  })
})

describe('what fails', () => {
  test.each([
    [['export', 'None']],
    [['watch', 'None']],
    [['import', 'plan.csv', '--board', 'None']],
    [['init', '--yes', '--board', 'None']],
  ])('%j is refused: there is no such board', async args => {
    writeFileSync(join(folder, 'plan.csv'), 'id,title\n1,One\n')
    const { code, output, errors } = await run(...args, '--json')
    expect([code, errors]).toEqual([1, expect.stringContaining('There is no board "None"')])
    expect(JSON.parse(output).detail).toMatchObject({ error: 'NOT_FOUND', message: expect.stringContaining('None') })
    expect(output.trim().split('\n').length === 1).toBe(args[0] === 'watch')
  })

  test('with --json the answer of the service is the one object of the output', async () => {
    writeFileSync(join(folder, 'notes.bin'), 'no backlog')
    const around = { variables: { ...variables, SPECBOARD_API_KEY: `dash_${'0'.repeat(48)}` }, folder }
    const [file, key] = await Promise.all([
      run('import', 'notes.bin', '--json'),
      runCommandIn(around, 'export', 'PRO', '--json'),
    ])
    expect([file.code, JSON.parse(file.output).detail.error]).toEqual([1, 'VALIDATION_ERROR'])
    expect([key.code, JSON.parse(key.output).detail.error]).toEqual([1, 'UNAUTHORIZED'])
  })

  test.each([
    [['import', '--json']],
    [['export', 'PRO', '--unknown', '--json']],
    [['absent', '--json']],
    [['backup', '-o', 'b.zip', '--keep', 'some', '--json']],
    [['watch', 'PRO', '--after', 'x', '--json']],
    [['call']],
    [['call', 'no_operation']],
  ])('%j is wrong use, told as one object', async args => {
    const { code, output, errors } = await run(...args)
    expect([code, JSON.parse(output).detail]).toEqual([2, { error: 'WRONG_USE', message: expect.any(String) }])
    expect(errors).not.toBe('')
  })

  test.each([[['export', 'PRO']], [['watch', 'PRO']], [['call', 'list_boards']], [['init', '--yes']]])(
    '%j without a service names the address that was tried, and what to do',
    async args => {
      const unreached = { SPECBOARD_URL: 'http://127.0.0.1:9', SPECBOARD_API_KEY: world.owner.key }
      const { code, errors } = await runCommandIn({ variables: unreached, folder }, ...args)
      expect(code).toBe(1)
      expect(errors).toMatch(/^specboard: http:\/\/127\.0\.0\.1:9 does not answer.*specboard serve.*SPECBOARD_URL.*\n$/)
    },
  )
})

describe('init', () => {
  /** Every file of the project, by its path. */
  const files = () =>
    Object.fromEntries(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(({ parentPath, name }) => {
          const path = join(parentPath, name)
          return [path.slice(folder.length + 1), readFileSync(path, 'utf8')]
        }),
    )

  test.each([
    [
      'claude-code',
      '.mcp.json',
      `"Authorization": "Bearer $\{SPECBOARD_API_KEY}"`,
      '.claude/settings.json',
      'CLAUDE.md',
    ],
    ['cursor', '.cursor/mcp.json', `"Authorization": "Bearer $\{env:SPECBOARD_API_KEY}"`, '.cursor/hooks.json'],
    ['vscode', '.vscode/mcp.json', `"Authorization": "Bearer $\{input:specboard-key}"`, '.github/hooks/specboard.json'],
    ['codex', '.codex/config.toml', 'bearer_token_env_var = "SPECBOARD_API_KEY"', '.codex/hooks.json'],
    [
      'gemini',
      '.gemini/settings.json',
      `"Authorization": "Bearer $\{SPECBOARD_API_KEY}"`,
      '.gemini/settings.json',
      'GEMINI.md',
    ],
  ])(
    '%s gets its files without the key, and a second run changes nothing',
    async (client, file, reference, ...more) => {
      const first = await run('init', '--yes', '--client', client, '--board', 'PRO')
      expect([first.code, first.errors]).toEqual([0, ''])
      expect(first.output).toMatch(/trust/)
      const contents = files()
      const skills = Object.keys(contents).filter(path => path.endsWith('/SKILL.md'))
      expect(skills).toHaveLength(6)
      const others = Object.keys(contents).filter(path => !skills.includes(path))
      expect(others.toSorted()).toEqual([...new Set([file, '.specboard.json', 'AGENTS.md', ...more])].toSorted())
      expect(contents[file]).toContain(reference)
      expect(contents[file]).toContain('toolsets=core&board_id=PRO')
      expect(contents[more[0]!]).toContain('specboard hook session_start --client')
      if (more[1] !== undefined) expect(contents[more[1]]).toContain('\n@AGENTS.md\n')
      expect(JSON.parse(contents['.specboard.json']!)).toEqual({
        url: world.running.url,
        board: 'PRO',
        installed: { clients: [client], with: ['hooks', 'instructions', 'mcp', 'skills'] },
      })
      expect(Object.values(contents).join()).not.toContain(world.owner.key)
      const again = await run('init', '--yes', '--client', client)
      expect(again.output).not.toMatch(/^(?:wrote|changed)/m)
      expect(files()).toEqual(contents)
      await run('init', '--remove')
      expect(readdirSync(folder)).toEqual([])
    },
  )

  test('takes the clients that are there, the parts that are named, and a dry run writes nothing', async () => {
    mkdirSync(join(folder, '.codex'))
    mkdirSync(join(folder, '.cursor'))
    const args = ['init', '--yes', '--client', 'auto', '--board', 'PRO', '--with', 'hooks,instructions']
    const dry = JSON.parse((await run(...args, '--dry-run', '--json')).output)
    expect(files()).toEqual({})
    const { clients, files: changes } = JSON.parse((await run(...args, '--json')).output)
    expect(clients).toEqual(expect.arrayContaining(['cursor', 'codex']))
    const paths = changes.map(({ path }: { path: string }) => path)
    expect(dry.files.map(({ path }: { path: string }) => path)).toEqual(paths)
    expect(paths).toEqual(expect.arrayContaining(['.cursor/hooks.json', '.codex/hooks.json', 'AGENTS.md']))
    expect(paths.join()).not.toMatch(/SKILL\.md|mcp\.json/)
    const nothing = (await run(...args, '--dry-run')).output
    expect(nothing).toContain('unchanged AGENTS.md')
    expect(nothing).not.toContain('---')
    const more = (await run(...args.with(-1, 'mcp'), '--dry-run')).output
    expect(more).toMatch(/wrote \.cursor\/mcp\.json[\s\S]*--- \.cursor\/mcp\.json\n\+ \{/)
    expect((await run('init', '--yes', '--with', 'magic')).code).toBe(2)
  })

  test('a block without its end stops it before anything is written', async () => {
    writeFileSync(join(folder, 'AGENTS.md'), '<!-- specboard:begin -->\nours\n')
    const { code, errors } = await run('init', '--yes')
    expect([code, errors]).toEqual([1, expect.stringContaining('AGENTS.md has "<!-- specboard:begin -->" without')])
    expect(Object.keys(files())).toEqual(['AGENTS.md'])
  })

  test('leaves the empty folders that were there, through all runs', async () => {
    for (const path of ['.cursor', '.github/hooks']) mkdirSync(join(folder, path), { recursive: true })
    for (const client of ['codex', 'cursor,vscode', 'cursor'])
      expect((await run('init', '--yes', '--board', 'PRO', '--client', client)).code).toBe(0)
    await run('init', '--remove')
    expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(['.cursor', '.github', '.github/hooks'])
  })

  test('leaves every file byte for byte as it was, of one client and of all', async () => {
    const mine = {
      'AGENTS.md': '# Ours\r\n\r\nMore',
      'CLAUDE.md': 'x',
      '.mcp.json': '{"mcpServers":{"other":{"command":"x"}}}',
      '.claude/settings.json': '{ "hooks": { "Stop": [ { "hooks": [] } ] }, /* ours */ "a": [1,2] }',
      '.gemini/settings.json': '{\n\t"hooks": {},\n\t"theme": "dark"\n}\n',
      '.cursor/hooks.json': '{"version":1,"hooks":{}}\n',
      '.codex/config.toml': 'model = "o"\n\n\n[other]\na = 1',
      '.specboard.json': `{"url":"${world.running.url}","board":"PRO","hooks":{"stop":false}}`,
    }
    for (const [path, text] of Object.entries(mine)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    expect((await run('init', '--yes', '--client', 'codex')).code).toBe(0)
    expect((await run('init', '--yes', '--client', 'claude-code,gemini,cursor')).code).toBe(0)
    expect(files()['AGENTS.md']).toContain('v2')
    await run('init', '--remove', '--client', 'codex')
    expect(files()['.codex/config.toml']).toBe(mine['.codex/config.toml'])
    expect(files()['AGENTS.md']).toContain('v2')
    expect(Object.keys(files())).toContain('.agents/skills/specboard-take/SKILL.md')
    await run('init', '--remove')
    expect(files()).toEqual(mine)
    expect((await run('init', '--remove')).output).toContain('nothing of Specboard')
    expect(files()).toEqual(mine)
  })

  test('keeps what somebody changed since, and a skill that somebody changed', async () => {
    await run('init', '--yes', '--client', 'codex', '--board', 'PRO')
    const skill = join(folder, '.agents/skills/specboard-take/SKILL.md')
    writeFileSync(skill, 'ours')
    writeFileSync(join(folder, 'AGENTS.md'), `${files()['AGENTS.md']}\nOurs\n`)
    await run('init', '--remove')
    expect(files()).toEqual({ 'AGENTS.md': '\nOurs\n', '.agents/skills/specboard-take/SKILL.md': 'ours' })
  })

  test('installs the hooks of Git where that is asked for, and takes them out', async () => {
    const args = ['init', '--yes', '--client', 'codex', '--board', 'PRO', '--with', 'git-hooks']
    const outside = await run(...args)
    expect([outside.code, outside.errors]).toEqual([2, expect.stringContaining('needs a Git repository')])
    expect(files()).toEqual({})
    execFileSync('git', ['init', '-q'], { cwd: folder })
    const hook = join(folder, '.git/hooks/pre-commit')
    expect((await run(...args, '--agent', 'x'.repeat(300))).code).toBe(1)
    expect(existsSync(hook)).toBe(false)
    expect((await run(...args)).code).toBe(0)
    expect(readFileSync(hook, 'utf8')).toContain('specboard git hook')
    await run('init', '--remove')
    expect(existsSync(hook)).toBe(false)
  })

  test.each([
    [[], 'Solo'],
    [['--preset', 'executor'], 'Executor'],
  ])(
    'makes an agent with %j as %s, and a board whose work another validates where it is asked to',
    async (more, preset) => {
      const result = await run('init', '--yes', '--agent', `Of ${preset}`, ...more, '--separate-review', '--json')
      const { board } = JSON.parse(result.output)
      const { items } = await world.owner.client.listAgents({})
      expect(items.find(({ name }) => name === `Of ${preset}`)?.preset_name).toBe(preset)
      const { settings } = await world.ok('get_board', { board_id: board.id })
      expect(settings.require_separate_reviewer).toBe(true)
    },
  )

  test('keeps what stands in the files already, comments included', async () => {
    mkdirSync(join(folder, '.vscode'))
    mkdirSync(join(folder, '.codex'))
    writeFileSync(join(folder, '.vscode/mcp.json'), '{\n  // mine\n  "servers": { "other": { "command": "x" } }\n}\n')
    writeFileSync(
      join(folder, '.codex/config.toml'),
      'model = "o"\n\n[mcp_servers.specboard]\nurl = "old"\n\n[other]\na = 1\n',
    )
    writeFileSync(join(folder, 'AGENTS.md'), '# Ours\n')
    await run('init', '--yes', '--client', 'vscode', '--board', 'PRO')
    await run('init', '--yes', '--client', 'codex', '--board', 'PRO')
    const contents = files()
    expect(contents['.vscode/mcp.json']).toMatch(/\/\/ mine[\s\S]*"other"[\s\S]*"specboard"/)
    expect(contents['.codex/config.toml']).toMatch(
      /^model = "o"\n\n\[mcp_servers\.specboard\]\nurl = "http[\s\S]*\n\n\[other\]\na = 1\n$/,
    )
    expect(contents['AGENTS.md']).toMatch(/^# Ours\n\n<!-- specboard:begin v2 -->/)
  })

  test('makes a board named like the folder, and an agent whose key is shown once', async () => {
    const { output } = await run('init', '--yes', '--agent', 'Worker', '--json')
    const { board: newBoard, api_key } = JSON.parse(output)
    expect(newBoard.name).toBe(folder.slice(folder.lastIndexOf('/') + 1))
    expect(api_key).toMatch(/^dash_/)
    const again = JSON.parse((await run('init', '--yes', '--agent', 'Worker', '--json')).output)
    expect([again.board.id, again.api_key]).toEqual([newBoard.id, null])
  })

  test('the other verbs find the service upward from a folder of the project', async () => {
    await run('init', '--yes', '--board', 'PRO')
    const inner = join(folder, 'deep/down')
    mkdirSync(inner, { recursive: true })
    const { SPECBOARD_URL: _, ...withoutUrl } = variables
    const { code, output } = await runCommandIn(
      { variables: withoutUrl, folder: inner },
      'call',
      'list_boards',
      '--query',
      '$[*].key',
    )
    expect([code, JSON.parse(output)]).toEqual([0, expect.arrayContaining(['PRO'])])
  })

  test('a client file that is not JSON stops it before an agent or a board is made', async () => {
    writeFileSync(join(folder, '.mcp.json'), '{ broken')
    const { code, errors } = await run('init', '--yes', '--agent', 'Never made')
    expect([code, errors]).toEqual([2, expect.stringContaining('.mcp.json is not valid JSON')])
    expect(files()).toEqual({ '.mcp.json': '{ broken' })
    expect((await run('call', 'list_agents', '--query', '$[*].name')).output).not.toContain('Never made')
    expect((await run('call', 'list_boards', '--query', '$[*].name')).output).not.toContain(
      folder.slice(folder.lastIndexOf('/') + 1),
    )
  })

  test('a file that cannot be written leaves the others as they were, and no board', async () => {
    writeFileSync(join(folder, '.cursor'), 'a file where a folder must be')
    const before = files()
    const { code, errors } = await run('init', '--yes', '--client', 'cursor', '--agent', 'Never made')
    expect([code, errors]).toEqual([1, expect.stringContaining('.cursor')])
    expect(files()).toEqual(before)
  })

  test('what was written is undone where the agent is refused, and so is the board', async () => {
    const { code, output } = await run('init', '--yes', '--agent', 'x'.repeat(300), '--json')
    expect([code, JSON.parse(output).detail]).toEqual([1, expect.anything()])
    expect(readdirSync(folder)).toEqual([])
    expect((await run('call', 'list_boards', '--query', '$[*].name')).output).not.toContain(
      folder.slice(folder.lastIndexOf('/') + 1),
    )
  })

  test('--remove takes out what it wrote, and nothing else', async () => {
    const mine = {
      'AGENTS.md': '# Ours\n',
      '.vscode/mcp.json': '{\n  // mine\n  "servers": { "other": { "command": "x" } }\n}\n',
      '.codex/config.toml': 'model = "o"\n\n[other]\na = 1\n',
    }
    mkdirSync(join(folder, '.vscode'))
    mkdirSync(join(folder, '.codex'))
    for (const [path, text] of Object.entries(mine)) writeFileSync(join(folder, path), text)
    for (const client of ['claude-code', 'vscode', 'codex', 'cursor', 'gemini'])
      expect((await run('init', '--yes', '--client', client, '--board', 'PRO')).code).toBe(0)
    const { code, output } = await run('init', '--remove', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(output).files).toContainEqual({ path: '.mcp.json', changed: true, deleted: true })
    const remaining = files()
    expect(Object.keys(remaining).toSorted()).toEqual(Object.keys(mine).toSorted())
    expect(remaining['AGENTS.md']).toBe(mine['AGENTS.md'])
    expect(remaining['.codex/config.toml']).toBe(mine['.codex/config.toml'])
    expect(remaining['.vscode/mcp.json']).toMatch(/\/\/ mine[\s\S]*"other"/)
    expect(existsSync(join(folder, '.cursor'))).toBe(false)
    expect(remaining['.vscode/mcp.json']).not.toContain('specboard')
    expect((await run('init', '--remove')).output).toContain('nothing of Specboard')
  })

  test('an unknown client and a broken project file are wrong use', async () => {
    const client = await run('init', '--yes', '--client', 'emacs')
    writeFileSync(join(folder, '.specboard.json'), '{}')
    const project = await run('init', '--yes')
    expect([client.code, project.code]).toEqual([2, 2])
    expect(project.errors).toContain('.specboard.json')
  })
})
