/** Repositories of a board, and what changes in them (git). */
import {
  get_change,
  link_change,
  list_authors,
  list_changes,
  put_authors,
  record_changes,
  unlink_change,
} from './changes.ts'
import { repositories } from './repositories.ts'

export const git = {
  ...repositories,
  record_changes,
  list_changes,
  get_change,
  link_change,
  unlink_change,
  list_authors,
  put_authors,
} as const
