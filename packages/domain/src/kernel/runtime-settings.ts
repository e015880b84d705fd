import { type RuntimeSettingKey, type RuntimeSettingValues, runtimeSettings } from '@specboard/contract'
import type { Db } from '../schema/database.ts'

const keys = Object.keys(runtimeSettings) as RuntimeSettingKey[]

const defaults = Object.fromEntries(keys.map(key => [key, runtimeSettings[key].default])) as Record<
  RuntimeSettingKey,
  number
>

const inRange = (key: RuntimeSettingKey, value: number) =>
  value >= runtimeSettings[key].min && value <= runtimeSettings[key].max

/**
 * The service-wide settings in effect (access 12): the environment's value, otherwise the stored one, otherwise the
 * default. They change without a restart: listeners are called for every change.
 */
export class RuntimeSettings {
  readonly pinned: readonly RuntimeSettingKey[]
  readonly #pinnedValues: Readonly<Partial<Record<RuntimeSettingKey, number>>>
  readonly #listeners = new Set<(values: RuntimeSettingValues) => void>()
  #values: RuntimeSettingValues

  constructor(pinnedValues: Readonly<Partial<Record<RuntimeSettingKey, number>>>) {
    this.pinned = keys.filter(key => pinnedValues[key] !== undefined)
    this.#pinnedValues = pinnedValues
    this.#values = { ...defaults, ...pinnedValues }
  }

  /** The values currently in effect. */
  get values(): RuntimeSettingValues {
    return this.#values
  }

  /** Calls the listener for every later change; returns the function that unsubscribes it. */
  onChange(listener: (values: RuntimeSettingValues) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Puts values into effect and calls the listeners. */
  apply(values: RuntimeSettingValues): void {
    this.#values = values
    for (const listener of this.#listeners) listener(values)
  }

  /** The values that result from the stored ones, their keys, and the keys ignored because they are out of range. */
  async read(db: Db): Promise<{
    readonly values: RuntimeSettingValues
    readonly stored: readonly RuntimeSettingKey[]
    readonly ignored: readonly string[]
  }> {
    const rows = await db.selectFrom('runtime_settings').select(['key', 'value']).execute()
    const supported = rows.filter((row): row is { key: RuntimeSettingKey; value: number } =>
      Object.hasOwn(runtimeSettings, row.key),
    )
    const effective = supported.filter(row => inRange(row.key, row.value))
    const stored = Object.fromEntries(effective.map(row => [row.key, row.value]))
    return {
      values: { ...defaults, ...stored, ...this.#pinnedValues },
      stored: effective.map(row => row.key),
      ignored: supported.filter(row => !effective.includes(row)).map(row => row.key),
    }
  }

  /** Puts the stored values into effect; returns the stored keys that are ignored because they are out of range. */
  async load(db: Db): Promise<readonly string[]> {
    const { values, ignored } = await this.read(db)
    if (keys.some(key => values[key] !== this.#values[key])) this.apply(values)
    return ignored
  }
}

/** A service-wide setting in effect, and where its value comes from. */
export interface SourcedSetting {
  readonly key: RuntimeSettingKey
  readonly value: number
  readonly source: 'environment' | 'stored' | 'default'
}

/**
 * The service-wide settings that a start would put into effect, and the stored ones that it would ignore.
 * @param db undefined if there is none: then nothing is stored
 */
export async function sourcedSettings(
  pinned: Readonly<Partial<Record<RuntimeSettingKey, number>>>,
  db?: Db,
): Promise<{ readonly settings: readonly SourcedSetting[]; readonly ignored: readonly string[] }> {
  const runtime = new RuntimeSettings(pinned)
  const nothingStored: Awaited<ReturnType<RuntimeSettings['read']>> = {
    values: runtime.values,
    stored: [],
    ignored: [],
  }
  const { values, stored, ignored } = db === undefined ? nothingStored : await runtime.read(db)
  const sourceOf = (key: RuntimeSettingKey) =>
    pinned[key] !== undefined ? 'environment' : stored.includes(key) ? 'stored' : 'default'
  return { settings: keys.map(key => ({ key, value: values[key], source: sourceOf(key) })), ignored }
}

/**
 * The settings pinned by environment variables that are not empty: `SPECBOARD_` and the key in upper case.
 * @throws RangeError naming the variable, when its value is not a whole number in range
 */
export function pinnedSettings(
  environment: Readonly<Record<string, string | undefined>>,
): Partial<Record<RuntimeSettingKey, number>> {
  const pinned: Partial<Record<RuntimeSettingKey, number>> = {}
  for (const key of keys) {
    const name = `SPECBOARD_${key.toUpperCase()}`
    const text = environment[name]
    if (text === undefined || text === '') continue
    const value = Number(text)
    if (!/^\d+$/.test(text) || !inRange(key, value)) {
      throw new RangeError(
        `${name} must be a whole number from ${runtimeSettings[key].min} to ${runtimeSettings[key].max}, not "${text}".`,
      )
    }
    pinned[key] = value
  }
  return pinned
}
