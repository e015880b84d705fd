/**
 * Measures bulk imports and exports (exchange 4): a large beads file, twice; an import into a board that others use
 * meanwhile; the archive of a large board with attachments, out and in; backups of a service that is written to. Needs
 * a folder for temporary files with room for five times the attachments.
 */
import { statfsSync } from 'node:fs'
import { sampleBacklog } from '../data/backlog.ts'
import type { Lab } from '../harness/lab.ts'
import { scenario } from '../harness/scenario.ts'
import { makeLargeBoard, reportArchive } from '../load/exchange-archive.ts'
import { reportBackup } from '../load/exchange-backup.ts'
import { reportBeads } from '../load/exchange-beads.ts'
import { reportIntoBoard } from '../load/exchange-into-board.ts'

/**
 * How many copies of the attachments are on the disk at once: two services, the archive, its upload, and room to spare.
 */
const copies = 5

export default scenario({
  summary: 'a large beads file, an import into a board in use, a large archive out and in, backups beside writes',
  engines: ['sqlite', 'postgres'],
  options: {
    parts: 'beads,into-board,archive,backup',
    file: sampleBacklog,
    lines: 5_722,
    rows: 3_000,
    mib: 1_024,
    records: 20_000,
    events: 100_000,
    rest: 30,
    seconds: 10,
  },
  short: { lines: 50, rows: 50, mib: 10, records: 200, events: 500, rest: 0, seconds: 1 },
  run: async (lab, { parts: named, file, lines, rows, mib, records, events, rest, seconds }) => {
    const parts = named.split(',')
    if (lab.databases.engine === 'postgres' && parts.some(part => part === 'archive' || part === 'backup'))
      throw new Error('On PostgreSQL name the parts that are measured there: --parts=beads,into-board')
    if (parts.includes('beads')) await reportBeads(lab, file, lines)
    if (parts.includes('into-board')) await reportIntoBoard(lab, rows)
    if (!parts.includes('archive') && !parts.includes('backup')) return
    refuseWithoutRoom(lab, mib)
    const seeded = await makeLargeBoard(lab, 'large', { mib, records, events })
    if (parts.includes('archive')) await reportArchive(lab, 'large', seeded, mib, rest)
    if (parts.includes('backup')) await reportBackup(lab, 'large', seconds)
  },
})

function refuseWithoutRoom({ root }: Lab, mib: number): void {
  const { bavail, bsize } = statfsSync(root)
  const free = Math.floor((bavail * bsize) / 2 ** 20)
  if (free < mib * copies)
    throw new Error(`${root} has ${free} MiB free; attachments of ${mib} MiB need ${mib * copies}. Take fewer: --mib=…`)
}
