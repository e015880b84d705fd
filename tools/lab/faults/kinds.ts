/** A kind of fault: which system call fails, in which of its uses, and when. */
export interface FaultKind {
  readonly name: string
  readonly calls: readonly string[]
  /** The files that the call must be about: those of the database, or all that the threads for files touch. */
  readonly of: 'database' | 'attachments'
  /** Whether the calls of the start count, or those after it. */
  readonly from: 'launch' | 'ready'
  /** The first call that fails is drawn from 1 to this one. */
  readonly upTo: number
}

const writes = ['pwrite64', 'write', 'pwritev', 'writev']
const syncs = ['fsync', 'fdatasync']

/** The kinds that are tested, in turn. */
export const faultKinds: readonly FaultKind[] = [
  { name: 'a write of the database', calls: writes, of: 'database', from: 'ready', upTo: 150 },
  { name: 'a sync of the database', calls: syncs, of: 'database', from: 'ready', upTo: 25 },
  { name: 'an open of a file to attach', calls: ['openat'], of: 'attachments', from: 'ready', upTo: 4 },
  { name: 'a sync of a file to attach', calls: syncs, of: 'attachments', from: 'ready', upTo: 4 },
  { name: 'a rename of a file to attach', calls: ['rename'], of: 'attachments', from: 'ready', upTo: 2 },
  { name: 'an open of the database', calls: ['openat'], of: 'database', from: 'launch', upTo: 12 },
  { name: 'a write at the start', calls: writes, of: 'database', from: 'launch', upTo: 20 },
  { name: 'a sync at the start', calls: syncs, of: 'database', from: 'launch', upTo: 6 },
]
