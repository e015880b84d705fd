import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandIn } from './support/command.ts'
import { freePort } from './support/free-port.ts'
import { MailSink } from './support/mail-sink.ts'
import { Person } from './support/person.ts'
import { World } from './support/world.ts'

let world: World
let mail: MailSink
let url: string

beforeAll(async () => {
  mail = await MailSink.start()
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  world = await World.start({ port, publicUrl: url })
})

afterAll(async () => {
  await world.stop()
  await mail.stop()
})

interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly says: string
}

/** What doctor finds under a name. */
async function findings(variables: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Finding[]> {
  const around = { variables: { SPECBOARD_DATA_DIR: world.folder, ...world.variables, ...variables } }
  return JSON.parse((await runCommandIn(around, 'doctor', '--json', ...args)).output).findings
}

test('doctor says how people sign in and are told (people 7.3)', async () => {
  const owner = await Person.owner(world)
  await owner.ok('create_agent', { name: 'Ada', kind: 'person' })
  await world.agent({ name: 'Worker' })
  const alone = await world.agent()
  const settings = { approval_done: 'person' }
  const board = await world.ok('create_board', { name: 'Alone', description: '', settings }, { as: alone })
  const file = join(world.folder, 'sign-in.json')
  const secret = join(world.folder, 'oidc.secret')
  await writeFile(secret, 'secret')
  await chmod(secret, 0o644)
  const nobody = `http://127.0.0.1:${await freePort()}`
  const provider = { id: 'company', name: 'Company', issuer: nobody, client_id: 'x', client_secret_file: secret }
  await writeFile(file, JSON.stringify({ providers: [provider] }))
  const found = await findings(
    {
      SPECBOARD_PUBLIC_URL: url,
      SPECBOARD_SIGN_IN_FILE: file,
      SPECBOARD_AGENT_SIGN_IN: 'on',
      SPECBOARD_SMTP_URL: mail.url,
      SPECBOARD_MAIL_FROM: 'board@example.com',
    },
    '--mail',
    'ada@example.com',
  )
  const says = (name: string) => found.filter(one => one.name === name)
  expect(says('public address')).toEqual([{ name: 'public address', ok: true, says: `${url} is healthy` }])
  expect(says('OAuth metadata')).toEqual([{ name: 'OAuth metadata', ok: true, says: 'answers there' }])
  expect(says('push')).toHaveLength(1)
  expect(says('provider company')).toEqual([
    expect.objectContaining({ ok: false, says: expect.stringContaining('chmod 600') }),
    expect.objectContaining({ says: `redirect URI to enter there: ${url}/web/session/oidc/company/callback` }),
    expect.objectContaining({ ok: true, says: expect.stringContaining('not reached') }),
  ])
  expect(says('cannot sign in')).toMatchObject([{ ok: true, says: expect.stringContaining('Ada') }])
  expect(says(`board ${board.key}`)).toMatchObject([{ ok: false }])
  expect(says('keys of agents sign in')).toMatchObject([{ says: expect.stringContaining('Worker') }])
  expect(says('mail server')).toEqual([{ name: 'mail server', ok: true, says: 'takes us' }])
  expect(says('mail to ada@example.com')).toMatchObject([{ ok: true }])
  expect((await mail.taken(1)).map(({ to }) => to)).toEqual(['ada@example.com'])
})
