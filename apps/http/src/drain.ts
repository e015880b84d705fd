import type { IncomingMessage } from 'node:http'

/** How long and how much is read of a body that nobody wants, so that its sender gets to read the answer. */
const drainMs = 500
const drainBytes = 64 << 20

/** Reads over what is left of a request; closes the connection where that takes too long. */
export function drain(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return
  let bytes = 0
  // A connection within the process is no socket.
  const close = () => (request.socket.destroySoon ?? request.socket.destroy).call(request.socket)
  const timer = setTimeout(close, drainMs).unref()
  const done = () => clearTimeout(timer)
  request.removeAllListeners('readable')
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength
    if (bytes > drainBytes) close()
  })
  request.once('end', done)
  request.once('close', done)
  request.once('error', done)
  request.resume()
}
