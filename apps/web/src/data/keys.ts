/**
 * The keys of cached responses. Everything that belongs to a board begins with the board's id, every record with its
 * kind and id, so that an event finds what it invalidates (live.ts).
 */
export const keys = {
  boards: ['boards'] as const,
  inbox: ['inbox'] as const,
  /** The snoozed items of the person. */
  snoozed: ['inbox', 'snoozed'] as const,
  /** The number of waiting items, as reported by the stream. */
  waiting: ['waiting'] as const,
  /** The position of the event stream before anything was read. */
  streamedFrom: ['streamed-from'] as const,
  /** The progress of the running import. */
  importing: ['importing'] as const,
  /** Data outside boards: agents, presets, settings of the service. */
  service: (kind: string, query?: object) => ['service', kind, query ?? null] as const,
  board: (boardId: string) => ['board', boardId] as const,
  /** What the person may do on a board, or outside boards, and who else may. */
  rights: (boardId: string | null) => ['rights', boardId] as const,
  /** Lists of a board, by the kind of their records. */
  list: (boardId: string, kind: string, query?: object) =>
    query === undefined ? (['board', boardId, kind] as const) : (['board', boardId, kind, query] as const),
  /** The record that a reference names. */
  reference: (ref: string) => ['reference', ref] as const,
  record: (kind: string, id: string) => ['record', kind, id] as const,
  /** Data that belongs to a record and changes with it: activity, allowed moves, history. */
  part: (kind: string, id: string, part: string, query?: object) => ['record', kind, id, part, query ?? null] as const,
}
