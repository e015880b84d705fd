import { readWithoutLock, type SourcedSetting, sourcedSettings } from '@specboard/domain'
import type { Finding } from './finding.ts'
import { placeOf, type Settings } from './settings.ts'

/** The service-wide settings that the next start puts into effect, and what is wrong with the stored ones. */
export async function runtimeSettingsOf(settings: Settings): Promise<{
  readonly settings: readonly SourcedSetting[]
  readonly findings: readonly Finding[]
}> {
  const { pinned } = settings
  const { settings: sourced, ignored } = await readWithoutLock(placeOf(settings), db =>
    sourcedSettings(pinned, db),
  ).catch(() =>
    // If no database can be read, the other findings report it.
    sourcedSettings(pinned),
  )
  if (ignored.length === 0) return { settings: sourced, findings: [] }
  const says = `${ignored.join(', ')}: out of range and ignored; update_settings stores another value`
  return { settings: sourced, findings: [{ name: 'stored settings', ok: false, says }] }
}
