import { types } from 'pg'

const { BOOL, INT8, NUMERIC, TEXT, VARCHAR, JSON: json, JSONB: jsonb } = types.builtins

/**
 * How PostgreSQL's values are parsed: as SQLite returns them, so that no store needs to distinguish the databases.
 * Whole numbers are below 2^53, booleans are 1 and 0, and JSON stays text.
 */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [BOOL]: text => (text === 't' ? 1 : 0),
  [INT8]: Number,
  [NUMERIC]: Number,
  [json]: text => text,
  [jsonb]: text => text,
}

/** The value types of a connection. */
export const valueTypes = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
}

/** Types whose values are the server's text. */
const plain: ReadonlySet<number> = new Set([TEXT, VARCHAR, json, jsonb])

/** Parses the values of a type; undefined if they are the server's text. */
export const parserOf = (oid: number): ((text: string) => unknown) | undefined =>
  plain.has(oid) ? undefined : valueTypes.getTypeParser(oid)
