import type { IncomingMessage } from 'node:http'
import { DomainError } from '@specboard/domain'
import { type HttpContext, nodeOf } from './http-env.ts'
import { WaitingBodies } from './limits/waiting-bodies.ts'

const waiting = new WaitingBodies()

/** 413: a body larger than allowed. */
export const tooLarge = (maxBytes: number): DomainError =>
  new DomainError('PAYLOAD_TOO_LARGE', `The body of this call may have at most ${maxBytes} bytes.`, {
    max_bytes: maxBytes,
  })

/**
 * Receives a body and does something with its bytes, which count as waiting until that is done.
 * @param maxBytes refused as soon as there are more; if the request states its length, without reading it
 * @throws DomainError PAYLOAD_TOO_LARGE; BUSY when too many bodies wait
 */
export async function withBody<Value>(
  c: HttpContext,
  maxBytes: number,
  use: (bytes: Uint8Array) => Promise<Value>,
  bodies: WaitingBodies = waiting,
): Promise<Value> {
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  let total = 0
  const take = (bytes: number) => {
    if (total + bytes > maxBytes) throw tooLarge(maxBytes)
    bodies.take(bytes)
    total += bytes
  }
  try {
    return await use(await bytesOf(c, take))
  } finally {
    bodies.release(total)
  }
}

async function bytesOf(c: HttpContext, take: (bytes: number) => void): Promise<Uint8Array> {
  const { incoming } = nodeOf(c)
  if (incoming !== undefined) return received(incoming, take)
  const parts: Uint8Array[] = []
  for await (const part of c.req.raw.body ?? []) {
    take(part.byteLength)
    parts.push(part)
  }
  return joined(parts)
}

/** Destroying the stream early would close the connection before the refusal is sent, so it is left alone. */
function received(incoming: IncomingMessage, take: (bytes: number) => void): Promise<Uint8Array> {
  const parts: Buffer[] = []
  return new Promise((resolve, reject) => {
    const onData = (part: Buffer) => {
      try {
        take(part.byteLength)
        parts.push(part)
      } catch (error) {
        leave()
        incoming.pause()
        reject(error)
      }
    }
    const onEnd = () => {
      leave()
      resolve(joined(parts))
    }
    const onClose = () => {
      leave()
      reject(new Error('The body broke off.'))
    }
    const leave = () => {
      incoming.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
    }
    if (incoming.destroyed) return onClose()
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}

const joined = (parts: readonly Uint8Array[]): Uint8Array => (parts.length === 1 ? parts[0]! : Buffer.concat(parts))
