import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandIn, startCommand } from './support/command.ts'
import { eventually } from './support/eventually.ts'
import { World } from './support/world.ts'

let world: World
let folder: string

beforeAll(async () => {
  world = await World.start()
  folder = await mkdtemp(join(tmpdir(), 'specboard-open-'))
})

afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs `specboard open` with a folder before all others in the search path. */
const open = (path: string, ...args: readonly string[]) =>
  runCommandIn(
    { variables: { PATH: `${path}:${process.env.PATH}`, ...world.variables } },
    ...['open', '--data-dir', world.folder, '--url', world.running.url, ...args],
  )

const linkIn = (output: string): string => /^Board: (\S+)\n$/.exec(output)?.[1] ?? ''

const signIn = (link: string) =>
  fetch(`${world.running.url}/web/session/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token: link.slice(link.indexOf('#') + 1) }),
  })

test.each([
  { verb: ['open', '--print'], place: () => world.folder, variables: () => world.variables },
  { verb: ['mcp', '--embedded'], place: () => join(folder, 'embedded'), variables: () => ({}) },
  { verb: ['kg', 'rebuild'], place: () => join(folder, 'rebuilt'), variables: () => ({}) },
])('$verb takes the key of the secrets from the file that it is told', async ({ verb, place, variables }) => {
  const file = join(folder, 'no.key')
  await writeFile(file, 'no key')
  const around = { variables: { SPECBOARD_API_KEY: world.owner.key, ...variables() } }
  const { code, errors } = await runCommandIn(around, ...verb, '--data-dir', place(), '--secret-key-file', file)
  expect([code, errors]).toEqual([1, expect.stringContaining(`${file} has no key`)])
})

describe('specboard open (web 1)', () => {
  test('leads to the address by which people reach the service', async () => {
    const around = { variables: { ...world.variables, SPECBOARD_PUBLIC_URL: 'https://board.example.com' } }
    const { output } = await runCommandIn(around, 'open', '--print', '--data-dir', world.folder)
    expect(output).toMatch(/^Board: https:\/\/board\.example\.com\/#/)
  })

  test('prints a link to the running server that signs the owner in once; each call makes another', async () => {
    const [first, second] = [await open(folder, '--print'), await open(folder, '--print')]
    expect([first.code, first.errors]).toEqual([0, ''])
    const links = [linkIn(first.output), linkIn(second.output)]
    expect(new Set(links).size).toBe(2)
    for (const link of links) {
      expect(link.startsWith(`${world.running.url}/#`)).toBe(true)
      const answer = await signIn(link)
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ agent_name: 'Local Owner' })
      expect((await signIn(link)).status).toBe(401)
    }
  })

  test.runIf(process.platform === 'linux')(
    'hands it to the browser of the machine by a file of its user alone (walls 8)',
    async () => {
      const opened = join(folder, 'opened')
      await writeFile(
        join(folder, 'xdg-open'),
        `#!/bin/sh\nprintf %s "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`,
      )
      await chmod(join(folder, 'xdg-open'), 0o755)
      const { code, output } = await open(folder)
      expect(code).toBe(0)
      const file = await eventually(() => readFile(opened, 'utf8'))
      expect(file).toBe(join(world.folder, 'open.html'))
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect(await readFile(file, 'utf8')).toContain(`content="0; url=${linkIn(output)}"`)
      await rm(join(folder, 'xdg-open'))
    },
  )

  test.runIf(process.platform === 'linux')('without a browser the link is enough', async () => {
    const bare = join(folder, 'bare')
    await mkdir(bare)
    await symlink('/bin/sh', join(bare, 'sh'))
    // It says so after the command has answered: only a process of its own waits for that.
    const { code, output, errors } = await startCommand(
      { variables: { PATH: bare, ...world.variables } },
      ...['open', '--data-dir', world.folder, '--url', world.running.url],
    ).ended
    expect(code).toBe(0)
    expect(linkIn(output)).not.toBe('')
    expect(errors).toMatch(/^specboard: no browser was started .*Open the link in one\.\n$/)
  })

  test('a folder that was never served is told what to do first', async () => {
    const { code, errors, output } = await runCommandIn({}, 'open', '--print', '--data-dir', join(folder, 'new'))
    expect([code, output]).toEqual([1, ''])
    expect(errors).toContain('specboard serve')
  })
})
