import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingNames, variableOf } from '../src/settings.ts'

const folder = new URL('../../../deploy/', import.meta.url).pathname
const files = globSync('*', { cwd: folder })
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

test.each(files)('%s sets what is a setting', file => {
  const known = settingNames.map(variableOf)
  for (const [variable] of read(file).matchAll(/SPECBOARD_[A-Z_]*[A-Z]\b/g)) expect(known).toContain(variable)
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
