import { spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../src/mod.ts'
import { settingNames, variableOf } from '../src/settings.ts'
import { serve } from './support/world.ts'

const folder = new URL('../../../deploy/', import.meta.url).pathname
const files = globSync('*', { cwd: folder })
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

test.each(files)('%s sets what is a setting', file => {
  const known = settingNames.map(variableOf)
  for (const [variable] of read(file).matchAll(/SPECBOARD_[A-Z_]*[A-Z]\b/g)) expect(known).toContain(variable)
})

test('images and actions are pinned by digest, and what runs has limits and is started anew (walls 9)', () => {
  const workflows = new URL('../../../.github/workflows/', import.meta.url).pathname
  const texts = [
    ...files.map(read),
    ...globSync('*.yml', { cwd: workflows }).map(file => readFileSync(join(workflows, file), 'utf8')),
  ]
  const named = texts.flatMap(text =>
    [...text.matchAll(/^\s*(?:ARG BASE=|image: |- uses: )(\S+)/gm)].map(match => match[1]!),
  )
  const foreign = named.filter(name => name !== 'specboard')
  expect(foreign.length).toBeGreaterThan(5)
  for (const name of foreign) expect(name).toMatch(/@(?:sha256:[\da-f]{64}|[\da-f]{40})$/)
  for (const file of ['compose.yaml', 'compose.postgres.yaml'])
    for (const part of ['mem_limit: ', 'restart: unless-stopped', 'SPECBOARD_ALLOWED_HOSTS: '])
      expect(read(file)).toContain(part)
  for (const part of ['MemoryMax=', 'Restart=on-failure', 'SPECBOARD_OWNER_KEY_FILE='])
    expect(read('specboard.service')).toContain(part)
  expect(read('Dockerfile')).toContain('SPECBOARD_OWNER_KEY_FILE=')
})

test('the image, what it is started with and what it is asked agree on port and folder', () => {
  const [image, compose] = [read('Dockerfile'), read('compose.yaml')]
  const [, port] = /SPECBOARD_PORT=(\d+)/.exec(image)!
  expect(image).toContain(`EXPOSE ${port}`)
  expect(compose).toContain(`127.0.0.1:${port}:${port}`)
  const [, data] = /SPECBOARD_DATA_DIR=(\S+)/.exec(image)!
  expect(image).toContain(`VOLUME ${data}`)
  expect(compose).toContain(`data:${data}`)
  expect(image).toMatch(/^USER 1000:1000$/m)
})

const canVerify = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!canVerify)('systemd takes the unit', () => {
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, 'specboard.service')], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
})

/** Docker's own reading of a compose file, by whichever of its programs is here. */
const composers = [['docker', 'compose'], ['docker-compose']] as const
const composer = composers.find(([program, ...args]) => spawnSync(program, [...args, 'version']).status === 0)

test.skipIf(composer === undefined).each(files.filter(file => file.startsWith('compose')))('compose reads %s', file => {
  const [program, ...args] = composer!
  const env = { ...process.env, POSTGRES_PASSWORD: 'secret' }
  const { status, stderr } = spawnSync(program, [...args, '-f', join(folder, file), 'config', '--quiet'], {
    encoding: 'utf8',
    env,
  })
  expect(status, stderr).toBe(0)
})

describe('a node with the settings of compose.postgres.yaml', () => {
  let folder: string
  let running: Running

  beforeAll(async () => {
    const [, host] = /SPECBOARD_HOST=(\S+)/.exec(read('Dockerfile'))!
    const [, names] = /SPECBOARD_ALLOWED_HOSTS: (\S+)/.exec(read('compose.postgres.yaml'))!
    folder = mkdtempSync(join(tmpdir(), 'specboard-deployment-'))
    running = await serve(folder, { host: host!, allowedHosts: names!.split(',') })
  })

  afterAll(async () => {
    await running?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The status of an answer to a request that names a host. */
  const statusAt = (port: number, path: string, host: string) =>
    new Promise<number>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, headers: { host } }, answer => {
        answer.resume()
        resolve(answer.statusCode!)
      })
        .on('error', reject)
        .end()
    })

  test("passes the image's own check", async () => {
    const [, check] = /^HEALTHCHECK[^[]+(\[.+\])$/m.exec(read('Dockerfile'))!
    const [program, ...args] = JSON.parse(check!) as string[]
    expect(program).toBe('node')
    const env = { ...process.env, SPECBOARD_PORT: String(running.port) }
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
    expect(await new Promise(resolve => child.once('exit', resolve))).toBe(0)
  })

  test('is healthy under the names that the proxy calls it by, and serves those who call the proxy', async () => {
    const { port } = running
    const caddyfile = read('Caddyfile')
    const [, path] = /health_uri (\S+)/.exec(caddyfile)!
    const [, upstreams] = /reverse_proxy (.+) \{/.exec(caddyfile)!
    for (const name of upstreams!.split(' ')) expect(await statusAt(port, path!, name)).toBe(200)
    for (const name of ['localhost:8100', '127.0.0.1:8100']) expect(await statusAt(port, '/docs', name)).toBe(200)
    expect(await statusAt(port, '/docs', 'rebound.example:8100')).toBe(403)
  })

  const caddy = spawnSync('caddy', ['version']).status === 0 ? undefined : ': no caddy'

  test.skipIf(caddy !== undefined)(`is found healthy and called by Caddy${caddy ?? ''}`, async () => {
    const home = mkdtempSync(join(tmpdir(), 'specboard-caddy-'))
    const port = await freePort()
    // Two addresses of this machine that no setting names.
    const nodes = ['127.0.0.2', '127.0.0.3'].map(address => `${address}:${running.port}`)
    const config = read('Caddyfile')
      .replace(':8100 {', `:${port} {`)
      .replace(/reverse_proxy .+ \{/, `reverse_proxy ${nodes.join(' ')} {`)
      .replace(/health_interval \S+/, 'health_interval 100ms')
    writeFileSync(join(home, 'Caddyfile'), `{\n\tadmin off\n}\n${config}`)
    const child = spawn('caddy', ['run', '--config', join(home, 'Caddyfile'), '--adapter', 'caddyfile'], {
      env: { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = new Promise(resolve => child.once('exit', resolve))
    let said = ''
    child.stderr.on('data', part => {
      said += part
    })
    try {
      const answers = () => statusAt(port, '/docs', 'localhost:8100').catch(() => 0)
      await expect.poll(answers, { timeout: 10_000 }).toBe(200)
      // Long enough for every node to be asked again and again.
      await sleep(1_000)
      expect(await answers()).toBe(200)
      expect(said).not.toMatch(/unexpected status|"level":"error"/)
    } finally {
      child.kill()
      await ended
      rmSync(home, { recursive: true, force: true })
    }
  })
})
