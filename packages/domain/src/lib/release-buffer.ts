/**
 * Frees the memory of a chunk that is no longer needed, if nothing else shares its buffer. The engine accounts for the
 * buffers of a stream late, and lets tens of MiB of them accumulate.
 */
export function releaseBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0)
}
