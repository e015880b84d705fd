/** Files of a report, compressed or not (evidence 2, rule 2). */
import { gunzipSync } from 'node:zlib'
import { reportLimits, UnreadableReport } from '@specboard/importers'

/** The report has more bytes than allowed. */
export class OversizedReport extends Error {}

const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/**
 * The bytes of a file, decompressed if its first bytes identify it as gzip.
 * @param max the maximum size
 * @throws Oversized, UnreadableReport
 */
export function unpacked(bytes: Uint8Array, max: number): Uint8Array {
  if (!isPacked(bytes)) {
    if (bytes.length > max) throw new OversizedReport()
    return bytes
  }
  const byRatio = Math.max(reportLimits.ratioFromBytes, bytes.length * reportLimits.ratio)
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.max(1, Math.min(max, byRatio)) })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ERR_BUFFER_TOO_LARGE' && byRatio < max)
      throw new UnreadableReport('ratio', `It unpacks to more than ${reportLimits.ratio} times its size`)
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new OversizedReport()
    if (code === 'Z_BUF_ERROR') throw new UnreadableReport('cut', 'The packed file ends early')
    throw new UnreadableReport('malformed', 'It begins like a gzip file but is not one')
  }
}
