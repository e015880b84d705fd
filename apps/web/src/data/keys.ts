/**
 * The keys under which answers are kept. Everything of a board begins with its id, every record with its kind and id, so
 * that an event finds what it makes untrue (live.ts).
 */
export const keys = {
  boards: ['boards'] as const,
  inbox: ['inbox'] as const,
  /** How many things wait for the person, as the stream says it. */
  waiting: ['waiting'] as const,
  /** Where the stream of events was before anything was read. */
  streamedFrom: ['streamed-from'] as const,
  /** How far the import is that runs now. */
  importing: ['importing'] as const,
  /** What belongs to no board: agents, presets, settings of the service. */
  service: (kind: string, query?: object) => ['service', kind, query ?? null] as const,
  board: (boardId: string) => ['board', boardId] as const,
  /** What the person may do on a board, or apart from boards, and who else may. */
  rights: (boardId: string | null) => ['rights', boardId] as const,
  /** Lists of a board, by the kind of their records. */
  list: (boardId: string, kind: string, query?: object) =>
    query === undefined ? (['board', boardId, kind] as const) : (['board', boardId, kind, query] as const),
  record: (kind: string, id: string) => ['record', kind, id] as const,
  /** What belongs to a record and changes with it: activity, allowed moves, history. */
  part: (kind: string, id: string, part: string, query?: object) => ['record', kind, id, part, query ?? null] as const,
}
