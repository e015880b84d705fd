import { statements } from './statements.ts'

/** The numbers of removed items of specs, so that no other item gets one of them (crew 1.1). */
export const texts = ['alter table specs add column removed_item_numbers text']

export const migration = statements(texts)
