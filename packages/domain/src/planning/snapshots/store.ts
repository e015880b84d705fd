import { hot } from '../../schema/hot.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'
import type { SnapshotsTable } from '../../schema/tables.ts'

/** The kinds of record with snapshots, which are taken when a record enters `done`. */
export type SnapshotOwner = 'ideation' | 'refinement'

interface OfOwner extends OnBoard {
  readonly type: SnapshotOwner
}

/** A page of the snapshots of a record, highest version first. */
export const listSnapshots = hot<OfOwner & { limit: number; offset: number }, SnapshotsTable>((db, param) =>
  db
    .selectFrom('snapshots')
    .selectAll()
    .where('owner_type', '=', param('type'))
    .where('owner_id', '=', param('id'))
    .where(onBoard('snapshots', param('board_id')))
    .orderBy('version', 'desc')
    .limit(param('limit'))
    .offset(param('offset')),
)

/** The number of snapshots of a record. */
export const countSnapshots = hot<OfOwner, { count: number }>((db, param) =>
  db
    .selectFrom('snapshots')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_type', '=', param('type'))
    .where('owner_id', '=', param('id'))
    .where(onBoard('snapshots', param('board_id'))),
)

/** The snapshot of a record at a version. */
export const snapshotAt = hot<OfOwner & { version: number }, SnapshotsTable>((db, param) =>
  db
    .selectFrom('snapshots')
    .selectAll()
    .where('owner_type', '=', param('type'))
    .where('owner_id', '=', param('id'))
    .where(onBoard('snapshots', param('board_id')))
    .where('version', '=', param('version')),
)
