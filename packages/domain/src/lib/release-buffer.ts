/**
 * Gives the memory of a chunk back that nobody needs any more, if it holds nothing else. The engine counts the buffers of
 * a stream late, and lets tens of MiB of them stand.
 */
export function releaseBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0)
}
