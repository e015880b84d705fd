import type { Json } from '@specboard/storage'
import type { z } from 'zod'

/** 0 or 1. */
export type Flag = 0 | 1

/** The JSON of a value that a schema of the contract describes, with defaults filled in. */
export type JsonOf<Schema extends z.ZodType> = Json<z.output<Schema>>

/** The JSON of a list of such values. */
export type JsonList<Schema extends z.ZodType> = Json<z.output<Schema>[]>

/** The JSON of an object whose members only its writer knows. */
export type JsonObject = Json<Record<string, unknown>>
