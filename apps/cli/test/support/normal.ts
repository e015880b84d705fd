const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** A reference to a record of a scene, or the key of a scene's board. */
const reference = /\bSCE\d*(?:-\d+)?\b/gi
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const measured = [
  'disk_free_bytes',
  'size_bytes',
  'graph_queue',
  'ms',
  'duration_ms',
  'execution_time_ms',
  'age_seconds',
  'api_key',
  'api_key_prefix',
  'secret',
  'webhook_secret',
  'push_public_key',
  'position',
]

/** Whether it is a position in the event log of all boards, which on PostgreSQL advances with every transaction. */
const isPlace = (key: string, value: unknown): boolean =>
  key === 'cursor' &&
  (typeof value === 'number' || /^events \d+$/.test(Buffer.from(String(value), 'base64url').toString()))

/** A value without what differs between two equal records: ids, references, times, keys, measurements. */
export const normal = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => (measured.includes(key) || isPlace(key, inner) ? 0 : inner))
      .replaceAll(uuid, 'id')
      .replaceAll(reference, 'ref')
      .replaceAll(/"key":"[A-Z][A-Z0-9]+"/g, '"key":"ref"')
      .replaceAll(time, 'time')
      .replaceAll(/\bdiag_[0-9a-f]{8}\b/g, 'diagram')
      .replaceAll(/progress:[0-9a-f]+/g, 'progress')
      .replaceAll(/Agent \d+/g, 'Agent')
      .replaceAll(/"handle":"([a-z-]*?)-?\d+"/g, '"handle":"$1"')
      .replaceAll(/dashci_[0-9a-f]{48}/g, 'token')
      .replaceAll(/[0-9a-f]{64}/g, 'hash')
      .replaceAll(/[0-9a-f]{32}0{8}/g, 'sha')
      .replaceAll(/\b[0-9a-f]{16}_/g, 'prefix_'),
  )
