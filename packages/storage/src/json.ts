declare const content: unique symbol
declare const collected: unique symbol

/**
 * JSON text as stored in the database, with the type of its value. Only the code that writes JSON makes one, so that
 * the code that parses it need not repeat the type.
 *
 * @example
 * interface NotesTable { id: string; labels: Json<string[]> }
 */
export type Json<Value> = string & { readonly [content]: Value }

/**
 * JSON that a query collects from nested rows. Inside another collection it is either nested JSON or text, because
 * SQLite forgets that a value is JSON when it sorts the outer rows.
 */
export type CollectedJson<Value> = Json<Value> & { readonly [collected]: true }
