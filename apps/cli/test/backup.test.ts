import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { openService } from '@specboard/domain'
import { readLastRun } from '@specboard/storage'
import { describeOnSqlite, testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand } from './support/command.ts'
import { eventually } from './support/eventually.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

const volume = mkdtempSync(join(tmpdir(), 'specboard-volume-'))
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', volume]).status === 0

let root: string
let world: World

afterAll(() => {
  if (isMounted) spawnSync('umount', [volume])
  rmSync(volume, { recursive: true, force: true })
})

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'specboard-backup-'))
  world = await World.start()
})

afterEach(async () => {
  await world.stop()
  rmSync(root, { recursive: true, force: true })
})

/** A board with a card and its attachment. */
async function fill() {
  const scene = await Scene.on(world)
  return (await scene.attachment()) as { board_id: string; attachment_id: string }
}

const backUp = async (...args: readonly string[]) => {
  const { code, output, errors } = await runCommand('backup', '--data-dir', world.folder, '--json', ...args)
  expect([code, errors]).toEqual([0, ''])
  return JSON.parse(output)
}

describeOnSqlite('backup and restore', () => {
  test('a running service is saved into one private file and comes back with keys, records and files', async () => {
    const ids = await fill()
    const backup = await backUp('-o', join(root, 'saved.zip'))
    expect(backup).toMatchObject({ file: join(root, 'saved.zip'), files: 3, missing: [], removed: [] })
    expect(statSync(backup.file).mode & 0o777).toBe(0o600)
    expect(readdirSync(root)).toEqual(['saved.zip'])
    expect(readLastRun(world.folder)).toEqual({ last_at: backup.created_at, outcome: 'ok', file: backup.file })

    const folder = join(root, 'restored')
    const restored = await runCommand('restore', backup.file, '--data-dir', folder, '--json')
    expect(JSON.parse(restored.output)).toMatchObject({ folder, files: 3, moved_to: null })
    expect((await runCommand('doctor', '--data-dir', folder)).code).toBe(0)
    const again = await openService({ folder, version: '0' })
    try {
      const caller = await again.service.authenticate(world.owner.key)
      expect(caller?.id).toBe(world.owner.id)
    } finally {
      await again.close()
    }
    const file = join('attachments', ids.board_id)
    const [name] = readdirSync(join(folder, file))
    expect(readFileSync(join(folder, file, name!))).toEqual(readFileSync(join(world.folder, file, name!)))
    expect(readFileSync(join(folder, 'secret.key'))).toEqual(readFileSync(join(world.folder, 'secret.key')))
  })

  test('--keep removes older backups of the folder and nothing else', async () => {
    writeFileSync(join(root, 'specboard-backup-notes.zip'), '')
    const first = await backUp('-o', root)
    await backUp('-o', root, '--keep', '2')
    const third = await backUp('-o', root, '--keep', '2')
    expect(third.removed).toEqual([first.file.slice(root.length + 1)])
    expect(readdirSync(root)).toHaveLength(3)
  })

  test('--keep makes a folder that is not there', async () => {
    const backup = await backUp('-o', join(root, 'nightly'), '--keep', '2')
    expect(readdirSync(join(root, 'nightly'))).toEqual([basename(backup.file)])
    expect((await backUp('-o', join(root, 'one.zip'), '--keep', '2')).file).toBe(join(root, 'one.zip'))
  })

  test('a damaged and a lost database name the newest good backup, with the command that restores it', async () => {
    const { file } = await backUp('-o', join(root, 'it is.zip'))
    writeFileSync(join(root, 'no folder'), '')
    await runCommand('backup', '--data-dir', world.folder, '-o', join(root, 'no folder', 'b.zip'))
    expect(readLastRun(world.folder)).toMatchObject({ file: null })
    const lost = join(root, 'lost')
    mkdirSync(lost)
    for (const name of ['last-backup.json', 'secret.key']) copyFileSync(join(world.folder, name), join(lost, name))
    const command = `specboard restore '${file}' --data-dir ${lost} --force`
    const serveErrors = async () => (await runCommand('serve', '--port', '0', '--data-dir', lost)).errors
    expect(await serveErrors()).toContain(command)
    writeFileSync(join(lost, 'specboard.db'), 'no database\n'.repeat(1_000))
    expect(await serveErrors()).toContain(command)
    expect((await runCommand('restore', file, '--data-dir', lost, '--force')).code).toBe(0)
  })

  test('an attachment whose file is lost is told, and saved without it', async () => {
    const { attachment_id } = await fill()
    rmSync(join(world.folder, 'attachments'), { recursive: true })
    const { code, output, errors } = await runCommand('backup', '--data-dir', world.folder, '-o', root, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(output).missing).toEqual([attachment_id])
    expect(errors).toContain(attachment_id)
  })

  test('a file that exists, a wrong --keep and a folder without database are refused', async () => {
    const file = join(root, 'there.zip')
    writeFileSync(file, 'mine')
    const empty = join(root, 'empty')
    mkdirSync(empty)
    const last = readLastRun(world.folder)
    const [exists, wrong, none, foreign] = await Promise.all([
      runCommand('backup', '--data-dir', world.folder, '-o', file),
      runCommand('backup', '--data-dir', world.folder, '-o', root, '--keep', '0'),
      runCommand('backup', '--data-dir', join(root, 'nothing'), '-o', join(root, 'b.zip')),
      runCommand('backup', '--data-dir', empty, '-o', join(root, 'c.zip')),
    ])
    expect([exists.code, wrong.code, none.code, foreign.code]).toEqual([1, 2, 1, 1])
    // A refused backup is not a failed one, which doctor would report.
    expect(readLastRun(world.folder)).toEqual(last)
    expect(readdirSync(empty)).toEqual([])
    expect(exists.errors).toContain('exists already')
    expect(none.errors).toContain('There is no database')
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(readdirSync(root).toSorted()).toEqual(['empty', 'there.zip'])
    const below = await runCommand('backup', '--data-dir', world.folder, '-o', join(file, 'd.zip'))
    expect([below.code, below.errors]).toEqual([1, expect.stringContaining('d.zip cannot be written: ')])
    // Linux lets nobody create anything in these folders.
    const nowhere = await runCommand('backup', '--data-dir', world.folder, '-o', '/proc/specboard/backups/e.zip')
    expect([nowhere.code, nowhere.errors]).toEqual([1, expect.stringContaining('e.zip cannot be written: ')])
  })

  test('restore leaves a filled folder, one in use, and one that a bad backup is for', async () => {
    const backup = await backUp('-o', join(root, 'saved.zip'))
    const filled = join(root, 'filled')
    mkdirSync(filled)
    writeFileSync(join(filled, 'mine'), 'text')
    const cut = join(root, 'cut.zip')
    writeFileSync(cut, readFileSync(backup.file).subarray(0, -100))
    const altered = join(root, 'altered.zip')
    const bytes = readFileSync(backup.file)
    bytes[200]! ^= 1
    writeFileSync(altered, bytes)
    const into = (file: string, folder: string, ...more: readonly string[]) =>
      runCommand('restore', file, '--data-dir', folder, ...more)
    const [full, used, short, wrong, none] = await Promise.all([
      into(backup.file, filled),
      into(backup.file, world.folder, '--force'),
      into(cut, filled, '--force'),
      into(altered, join(root, 'new'), '--force'),
      into(join(root, 'absent.zip'), join(root, 'new')),
    ])
    expect([full.code, used.code, short.code, wrong.code, none.code]).toEqual([1, 1, 1, 1, 1])
    expect(full.errors).toContain('is not empty')
    expect(used.errors).toContain('Another specboard uses')
    expect(short.errors).toContain('not a complete backup')
    expect(wrong.errors).toMatch(/Choose another/)
    expect(none.errors).toMatch(/There is no file .*absent\.zip\. Name the zip of a backup\./)
    expect(readFileSync(join(filled, 'mine'), 'utf8')).toBe('text')
    expect(readdirSync(root).toSorted()).toEqual(['altered.zip', 'cut.zip', 'filled', 'saved.zip'])
  })

  test('--force moves the present folder aside', async () => {
    const backup = await backUp('-o', join(root, 'saved.zip'))
    const filled = join(root, 'filled')
    mkdirSync(filled)
    writeFileSync(join(filled, 'mine'), 'text')
    const { output } = await runCommand('restore', backup.file, '--data-dir', filled, '--force', '--json')
    const { moved_to } = JSON.parse(output)
    expect(readFileSync(join(moved_to, 'mine'), 'utf8')).toBe('text')
    expect(existsSync(join(filled, 'specboard.db'))).toBe(true)
  })

  test.skipIf(!isMounted)('restores into a volume, which cannot get another name', async () => {
    const backup = await backUp('-o', join(root, 'saved.zip'))
    const restore = (...more: readonly string[]) =>
      runCommand('restore', backup.file, '--data-dir', volume, '--json', ...more)
    mkdirSync(join(volume, 'lost+found'))
    const first = await restore()
    expect([first.code, first.errors, JSON.parse(first.output).moved_to]).toEqual([0, '', null])
    expect(readdirSync(volume)).toEqual(expect.arrayContaining(['lost+found', 'secret.key', 'specboard.db']))
    expect((await restore()).code).toBe(1)
    const { moved_to } = JSON.parse((await restore('--force')).output)
    expect(readdirSync(moved_to)).toEqual(expect.arrayContaining(['secret.key', 'specboard.db']))
    expect(readdirSync(dirname(volume)).filter(name => name.startsWith(basename(volume)))).toEqual([basename(volume)])
    rmSync(moved_to, { recursive: true })
    expect((await runCommand('doctor', '--data-dir', volume)).output).toMatch(/^ok {3}foreign files: none$/m)
  })

  test('a restore that was killed between its renames is undone by the next start', async () => {
    const folder = join(root, 'data')
    const previous = `${folder}.before-20300102T030405678Z`
    const first = await openService({ folder, version: '0' })
    await first.close()
    renameSync(folder, previous)
    writeFileSync(`${folder}.restoring`, 'data.before-20300102T030405678Z')
    const second = await openService({ folder, version: '0' })
    await second.close()
    expect([second.ownerKey, existsSync(previous), existsSync(`${folder}.restoring`)]).toEqual([
      undefined,
      false,
      false,
    ])
  })
})

testOnSqlite('a running service backs itself up, keeps as many as it is told, and tells of a failure', async () => {
  const folder = join(root, 'data')
  const into = join(root, 'backups')
  const faults: unknown[] = []
  const options = { folder, version: '0', onFault: (error: unknown) => void faults.push(error) }
  const opened = await openService({ ...options, backups: { into, everyMs: 1, keep: 2 } })
  await eventually(() => expect(readLastRun(folder)?.outcome).toBe('ok'))
  await opened.close()
  expect(readdirSync(into).length).toBeGreaterThan(0)
  expect(readdirSync(into).filter(name => name.endsWith('.zip')).length).toBeLessThanOrEqual(2)

  const blocked = join(root, 'a file')
  writeFileSync(blocked, '')
  const failing = await openService({ ...options, backups: { into: blocked, everyMs: 1, keep: 2 } })
  await eventually(() => expect(faults).not.toEqual([]))
  await failing.close()
  expect(String(faults[0])).toContain('The backup failed: ')
  expect(readLastRun(folder)).toMatchObject({ file: null, outcome: expect.stringMatching(/EEXIST|ENOTDIR/) })
})
