declare const content: unique symbol
declare const collected: unique symbol

/**
 * JSON as the database keeps it: text, typed by the value that was written. Only what writes JSON makes one, so
 * that whoever parses it need not say again what it holds.
 *
 * @example
 * interface NotesTable { id: string; labels: Json<string[]> }
 */
export type Json<Value> = string & { readonly [content]: Value }

/**
 * JSON that a query collects of nested rows. Nested further it is part of the JSON around it, or a text in there:
 * it depends on whether the rows around it were sorted, which loses what SQLite knows of a value.
 */
export type CollectedJson<Value> = Json<Value> & { readonly [collected]: true }
