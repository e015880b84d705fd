import { spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { manifests, rendered, template } from '../../../tools/manifests/render.ts'
import type { RunningService } from '../src/mod.ts'
import { fileVariableOf, variableOf } from '../src/setting-sources.ts'
import { settingNames, settingsInFiles } from '../src/settings.ts'
import { serve } from './support/world.ts'

const folder = new URL('../../../deploy/', import.meta.url).pathname
const files = globSync('**/*', { cwd: folder, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
const ofChart = (file: string) => file.startsWith('helm/')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

test.each(files)('%s sets what is a setting', file => {
  const variables = [...settingNames.map(variableOf), ...settingsInFiles.map(fileVariableOf)]
  for (const [variable] of read(file).matchAll(/SPECBOARD_[A-Z_]*[A-Z]\b/g)) expect(variables).toContain(variable)
})

test('images and actions are pinned by digest, and what runs has limits and is started anew (walls 9)', () => {
  const workflows = new URL('../../../.github/workflows/', import.meta.url).pathname
  const texts = [
    ...files.filter(file => !ofChart(file)).map(read),
    ...globSync('*.yml', { cwd: workflows }).map(file => readFileSync(join(workflows, file), 'utf8')),
  ]
  const named = texts.flatMap(text =>
    [...text.matchAll(/^\s*(?:ARG BASE=|image: |- uses: )(\S+)/gm)].map(match => match[1]!),
  )
  const foreign = named.filter(name => name !== 'specboard')
  expect(foreign.length).toBeGreaterThan(5)
  for (const name of foreign) expect(name).toMatch(/@(?:sha256:[\da-f]{64}|[\da-f]{40})$/)
  for (const file of ['compose.yaml', 'compose.postgres.yaml'])
    for (const part of [
      'mem_limit: ',
      'restart: unless-stopped',
      'SPECBOARD_ALLOWED_HOSTS: ',
      'max-size: ',
      'logging:',
    ])
      expect(read(file)).toContain(part)
  for (const part of ['MemoryMax=', 'Restart=on-failure', 'SPECBOARD_OWNER_KEY_FILE='])
    expect(read('specboard.service')).toContain(part)
  expect(read('Dockerfile')).toContain('SPECBOARD_OWNER_KEY_FILE=')
  for (const label of ['title', 'source', 'documentation', 'licenses', 'version', 'revision'])
    expect(read('Dockerfile')).toMatch(new RegExp(`org\\.opencontainers\\.image\\.${label}="[^"]+"`))
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

describe('Kubernetes', () => {
  /** The objects of a manifest, by kind. */
  // biome-ignore lint/suspicious/noExplicitAny: objects of many kinds
  function objectsIn(text: string): ReadonlyMap<string, any> {
    const documents = parseAllDocuments(text)
    for (const { errors, warnings } of documents) expect([...errors, ...warnings]).toEqual([])
    return new Map(documents.map(document => document.toJS()).map(object => [object.kind, object]))
  }

  /** What every pod must have, whoever runs it. */
  // biome-ignore lint/suspicious/noExplicitAny: an object of Kubernetes
  function expectSound(objects: ReadonlyMap<string, any>): void {
    const workload = objects.get('StatefulSet') ?? objects.get('Deployment')
    const { spec } = workload.spec.template
    const [container] = spec.containers
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 })
    expect(spec.enableServiceLinks).toBe(false)
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.livenessProbe.httpGet).toEqual({ path: '/health', port: 'http' })
    expect(container.readinessProbe.httpGet).toEqual({ path: '/ready', port: 'http' })
    expect(container.resources.limits.memory).toBe('2Gi')
    const claimed = (workload.spec.volumeClaimTemplates ?? []).map(named)
    const volumes = [...spec.volumes.map(named), ...claimed].toSorted()
    expect(container.volumeMounts.map(named).toSorted()).toEqual(volumes)
    // Both selectors match the pods, and the pods have the port.
    const { labels } = workload.spec.template.metadata
    for (const selector of [workload.spec.selector.matchLabels, objects.get('Service').spec.selector])
      expect(labels).toMatchObject(selector)
    const ports = container.ports.map(named)
    for (const { targetPort } of objects.get('Service').spec.ports) expect(ports).toContain(targetPort)
    for (const { name, value } of container.env) expect([name, typeof value]).toEqual([name, 'string'])
  }

  const named = ({ name, metadata }: { readonly name?: string; readonly metadata?: { readonly name: string } }) =>
    name ?? metadata?.name

  test.each(Object.keys(manifests))('%s holds objects that fit together', name => {
    const objects = objectsIn(read(`kubernetes/${name}`))
    expectSound(objects)
    const { replicas } = (objects.get('StatefulSet') ?? objects.get('Deployment')).spec
    expect(replicas).toBe(name === 'sqlite.yaml' ? 1 : 2)
  })

  const hasHelm = spawnSync('helm', ['version']).status === 0

  describe.skipIf(!hasHelm)(`the chart${hasHelm ? '' : ': no helm'}`, () => {
    test('is taken by helm lint', () => {
      const { status, stdout } = spawnSync('helm', ['lint', '--strict', join(folder, 'helm')], { encoding: 'utf8' })
      expect([status, stdout]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
    })

    test.each(Object.keys(manifests))('makes %s', name => {
      expect(rendered(name)).toBe(read(`kubernetes/${name}`))
    })

    test('takes all of its values', () => {
      const objects = objectsIn(
        template([
          'database.existingSecret=db',
          'database.readUrlKey=replica',
          'secretKey.existingSecret=key',
          'ownerKey.existingSecret=owner',
          'ingress.enabled=true',
          'ingress.className=nginx',
          'ingress.tlsSecret=tls',
          'metrics.serviceMonitor=true',
          'image.digest=sha256:0',
          'settings.PUBLIC_URL=https://board.example.com',
          'imagePullSecrets[0].name=pull',
          'nodeSelector.disk=ssd',
          'podAnnotations.team=a',
        ]),
      )
      expectSound(objects)
      const [container] = objects.get('Deployment').spec.template.spec.containers
      expect(container.image).toBe('specboard@sha256:0')
      expect(container.env).toContainEqual({ name: 'SPECBOARD_PUBLIC_URL', value: 'https://board.example.com' })
      expect(container.env).toContainEqual({
        name: 'SPECBOARD_ALLOWED_HOSTS',
        value: 'board.example.com,specboard,specboard.default,specboard.default.svc',
      })
      const [volume] = objects
        .get('Deployment')
        .spec.template.spec.volumes.filter((one: { readonly name: string }) => one.name === 'database')
      expect(volume.secret.items).toContainEqual({ key: 'replica', path: 'read-url' })
      const read = { name: 'SPECBOARD_DATABASE_READ_URL_FILE', value: '/run/secrets/database/read-url' }
      expect(container.env).toContainEqual(read)
      expect(objects.get('Ingress').spec.rules[0].http.paths[0].backend.service.name).toBe('specboard')
      expect([...objects.keys()]).toContain('ServiceMonitor')
      const existing = ['persistence.existingClaim=mine', 'backups.existingClaim=theirs']
      expectSound(objectsIn(template(existing)))
      expectSound(objectsIn(template(['backups.enabled=false', 'metrics.enabled=false'])))
    })

    test('passes settings on as they are written, and files and variables for those that need them', () => {
      const home = mkdtempSync(join(tmpdir(), 'specboard-chart-'))
      try {
        const values = join(home, 'values.yaml')
        writeFileSync(
          values,
          `settings:
  ACCESS_LOG: on
  OAUTH: off
  ATTACHMENT_MAX_BYTES: 20000000
  IMPORT_MAX_BYTES: 4294967296
  TRACES_RATIO: 0.1
  BACKUP_AT: 02:30
  OAUTH_CLIENT_HOSTS: [a.example.com, b.example.com]
  RATE_LIMIT:
  SMTP_PASSWORD_FILE: /etc/specboard/mail/password
secretFiles: [mail, sign-in.json]
extraEnv:
  - { name: AWS_ACCESS_KEY_ID, valueFrom: { secretKeyRef: { name: s3, key: id } } }
`,
        )
        const objects = objectsIn(template(['backups.enabled=false', 'metrics.enabled=false'], values))
        const { containers, volumes } = objects.get('StatefulSet').spec.template.spec
        const [{ env, volumeMounts }] = containers
        const set = (name: string) =>
          env.find((one: { readonly name: string }) => one.name === `SPECBOARD_${name}`)?.value
        expect(
          ['ACCESS_LOG', 'OAUTH', 'ATTACHMENT_MAX_BYTES', 'IMPORT_MAX_BYTES', 'TRACES_RATIO', 'BACKUP_AT'].map(set),
        ).toEqual(['on', 'off', '20000000', '4294967296', '0.1', '02:30'])
        expect([set('OAUTH_CLIENT_HOSTS'), set('RATE_LIMIT')]).toEqual(['a.example.com,b.example.com', undefined])
        expect(env).toContainEqual({
          name: 'AWS_ACCESS_KEY_ID',
          valueFrom: { secretKeyRef: { name: 's3', key: 'id' } },
        })
        for (const [index, secret] of ['mail', 'sign-in.json'].entries()) {
          expect(volumes).toContainEqual({ name: `files-${index}`, secret: { secretName: secret } })
          const mountPath = `/etc/specboard/${secret}`
          expect(volumeMounts).toContainEqual({ name: `files-${index}`, mountPath, readOnly: true })
        }
      } finally {
        rmSync(home, { recursive: true, force: true })
      }
    })

    test('leads a path of the host to the service, with the documents of MCP clients', () => {
      const { spec } = objectsIn(template(['ingress.enabled=true', 'settings.BASE_PATH=/board'])).get('Ingress')
      const paths = spec.rules[0].http.paths.map(({ path }: { path: string }) => path)
      const documents = ['protected-resource', 'authorization-server'].map(name => `/.well-known/oauth-${name}/board`)
      expect(paths).toEqual(['/board', ...documents])
    })

    test('refuses several nodes without a key that they share', () => {
      expect(() => template(['database.existingSecret=db'])).toThrow(/secretKey\.existingSecret is needed/)
    })
  })
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
  let running: RunningService

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
    let log = ''
    child.stderr.on('data', part => {
      log += part
    })
    try {
      const answers = () => statusAt(port, '/docs', 'localhost:8100').catch(() => 0)
      await expect.poll(answers, { timeout: 10_000 }).toBe(200)
      // Long enough for every node to be asked again and again.
      await sleep(1_000)
      expect(await answers()).toBe(200)
      expect(log).not.toMatch(/unexpected status|"level":"error"/)
    } finally {
      child.kill()
      await ended
      rmSync(home, { recursive: true, force: true })
    }
  })
})
