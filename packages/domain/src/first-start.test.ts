import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtinPresets } from '@specboard/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { idSource } from './lib/ids.ts'
import { parseJson, toJson } from './lib/json.ts'
import { type OpenedService, openService } from './open.ts'
import { openDatabase, writeWithoutLock } from './schema/database.ts'
import type { ServiceOptions } from './service-options.ts'
import { createAgentKey, resetOwnerKey } from './workspace/seed.ts'

const ownerKey = `dash_${'0123456789abcdef'.repeat(3)}`

let folder: string
let now: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'specboard-start-'))
  now = Date.parse('2030-01-01T00:00:00.000Z')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

/** Opens the service of the folder, runs something on it, and closes it. */
async function started<Value>(
  run: (opened: OpenedService) => Promise<Value>,
  options: Partial<ServiceOptions> = {},
): Promise<Value> {
  const opened = await openService({ folder, version: '1', clock: () => now, ...options })
  try {
    return await run(opened)
  } finally {
    await opened.close()
  }
}

const agents = ({ service }: OpenedService) =>
  service.database.read(db => db.selectFrom('agents').selectAll().orderBy('id').execute())

describe('the first start (access 1)', () => {
  test('creates the Local Owner as its own creator, with a key that is shown once, and no board', async () => {
    const key = await started(async opened => {
      const [owner, ...others] = await agents(opened)
      expect(others).toStrictEqual([])
      expect(owner).toMatchObject({ name: 'Local Owner', created_by: owner?.id, permission_flags: null, is_active: 1 })
      expect(builtinPresets.find(({ id }) => id === owner?.preset_id)?.name).toBe('Full Control')
      expect(await opened.service.database.read(db => db.selectFrom('boards').select('id').execute())).toStrictEqual([])
      return opened.ownerKey
    })
    expect(key).toMatch(/^dash_[0-9a-f]{48}$/)
    await started(async opened => {
      expect(opened.ownerKey).toBeUndefined()
      expect(await agents(opened)).toHaveLength(1)
      expect((await opened.service.authenticate(key)).name).toBe('Local Owner')
    })
  })

  test('takes the supplied key and does not show it; later starts ignore another one', async () => {
    await started(async opened => expect(opened.ownerKey).toBeUndefined(), { ownerKey })
    await started(
      async ({ service }) => {
        expect((await service.authenticate(ownerKey)).name).toBe('Local Owner')
        await expect(service.authenticate(ownerKey.replace('0', 'f'))).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
      },
      { ownerKey: ownerKey.replace('0', 'f') },
    )
    await started(async opened => expect(await agents(opened)).toHaveLength(1), { ownerKey: 'malformed' })
  })

  test.each(['', 'dash_', `dash_${'A'.repeat(48)}`, `${ownerKey}0`])('fails on the malformed key "%s"', async key => {
    await expect(started(async () => {}, { ownerKey: key })).rejects.toThrow(/SPECBOARD_OWNER_API_KEY/)
  })
})

test('each start repairs the built-in presets (access 10)', async () => {
  const read = ({ service }: OpenedService) =>
    service.database.read(db => db.selectFrom('presets').selectAll().orderBy('name').execute())
  const initial = await started(read)
  expect(initial.map(({ name }) => name)).toStrictEqual(builtinPresets.map(({ name }) => name))
  await started(({ service }) =>
    service.database.write(async db => {
      await db
        .updateTable('presets')
        .set({ name: 'Mine', flags: toJson({}) })
        .where('name', '=', 'QA')
        .execute()
      await db.deleteFrom('presets').where('name', '=', 'Spec').execute()
    }),
  )
  const unrevised = (presets: Awaited<ReturnType<typeof read>>) => presets.map(({ revision, ...preset }) => preset)
  expect(unrevised(await started(read))).toStrictEqual(unrevised(initial))
})

test('a lost owner key is replaced (access 1)', async () => {
  await started(async () => {}, { ownerKey })
  const database = await openDatabase({ folder })
  const environment = { clock: () => now, newId: idSource(() => now) }
  const key = await database.write(db => resetOwnerKey(db, environment))
  await database.close()
  await started(async ({ service }) => {
    expect((await service.authenticate(key)).name).toBe('Local Owner')
    await expect(service.authenticate(ownerKey)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })
})

test('the audit records actions from the command line in the name of the owner (access 14)', async () => {
  await started(async () => {})
  const environment = { clock: () => now, newId: idSource(() => ++now) }
  await writeWithoutLock(folder, db => createAgentKey(db, environment, 'Codex', 'executor'))
  await writeWithoutLock(folder, db => resetOwnerKey(db, environment))
  await writeWithoutLock(folder, db => db.updateTable('agents').set({ is_active: 0 }).execute())
  await writeWithoutLock(folder, db => resetOwnerKey(db, environment))
  await started(async opened => {
    const [owner, codex] = await agents(opened)
    const entries = await opened.service.database.read(db => db.selectFrom('audit').selectAll().orderBy('id').execute())
    const actor = { actor_id: owner?.id, actor_name: 'Local Owner', actor_type: 'person', actor_via: 'service' }
    const by = { ...actor, created_at: expect.any(String), details: null }
    const door = { origin: 'cli', target_type: 'agent' }
    const regenerated = {
      ...by,
      ...door,
      action: 'key_regenerated',
      target_id: owner?.id,
      target_name: 'Local Owner',
    }
    expect(entries.map(({ id, ...entry }) => ({ ...entry, fields: parseJson(entry.fields) }))).toStrictEqual([
      {
        ...by,
        ...door,
        action: 'agent_created',
        target_id: codex?.id,
        target_name: 'Codex',
        fields: ['name', 'preset_id'],
      },
      { ...regenerated, fields: ['api_key'] },
      { ...regenerated, fields: ['api_key', 'is_active'] },
    ])
  })
})

test.each(['', ' ', 'x'.repeat(256)])('the command line refuses the agent name "%s"', async name => {
  await started(async () => {})
  const environment = { clock: () => now, newId: idSource(() => now) }
  await expect(writeWithoutLock(folder, db => createAgentKey(db, environment, name, 'QA'))).rejects.toThrow(
    /^The name /,
  )
})

test('last_used_at is set at most once in 60 s (access 1)', async () => {
  await started(
    async opened => {
      const lastUsedAt = async () => {
        await opened.service.authenticate(ownerKey)
        // Writes are done in order: once this one is done, so is that of the authentication.
        await opened.service.database.write(async () => {})
        return (await agents(opened))[0]?.last_used_at
      }
      expect(await lastUsedAt()).toBe('2030-01-01T00:00:00.000Z')
      now += 59_999
      expect(await lastUsedAt()).toBe('2030-01-01T00:00:00.000Z')
      now += 1
      expect(await lastUsedAt()).toBe('2030-01-01T00:01:00.000Z')
    },
    { ownerKey },
  )
})

test('stored settings take effect again; those out of range are ignored and named (access 12)', async () => {
  const store = (key: string, value: number) => ({ key, value, updated_at: '' })
  await started(({ service }) =>
    service.database.write(db =>
      db
        .insertInto('runtime_settings')
        .values([
          store('kg_queue_max_attempts', 9),
          store('kg_queue_min_interval_ms', 5_000),
          store('page_cache_mb', 32),
          store('of_an_older_version', 1),
        ])
        .execute(),
    ),
  )
  await started(
    async ({ service, ignoredSettings }) => {
      expect(ignoredSettings).toStrictEqual(['kg_queue_min_interval_ms'])
      expect(service.environment.settings.values).toMatchObject({
        kg_queue_max_attempts: 9,
        kg_queue_min_interval_ms: 100,
        page_cache_mb: 16,
      })
    },
    { pinned: { page_cache_mb: 16 } },
  )
})
