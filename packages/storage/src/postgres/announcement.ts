import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a node announces. */
export interface Announcement {
  /** Distinguishes a node's own announcements from others. */
  readonly node: string
  readonly names: readonly string[]
}

const mac = (key: Buffer, signed: readonly string[]): Buffer =>
  createHmac('sha256', key).update(JSON.stringify(signed)).digest()

/** The payload of an announcement, signed, because every role that may connect to the database can notify (walls 6). */
export function sealed(key: Buffer, { node, names }: Announcement): string {
  const signed = [node, ...names]
  return JSON.stringify([mac(key, signed).toString('base64url'), ...signed])
}

/** The announcement in a payload; undefined for anything not sent by a node with this key. */
export function opened(key: Buffer, payload: string): Announcement | undefined {
  const parts = textsIn(payload)
  if (parts === undefined) return undefined
  const [signature = '', ...signed] = parts
  const [actual, expected] = [Buffer.from(signature, 'base64url'), mac(key, signed)]
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
  const [node, ...names] = signed
  return node === undefined ? undefined : { node, names }
}

/** The texts of a JSON array of texts. */
function textsIn(json: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) && value.every(part => typeof part === 'string') ? value : undefined
  } catch {
    return undefined
  }
}
