/** The repositories of a board and their changes (git). */
import {
  get_change,
  link_change,
  list_authors,
  list_changes,
  put_authors,
  record_changes,
  unlink_change,
} from './changes.ts'
import { list_forge_deliveries, retry_forge_delivery } from './forge-deliveries.ts'
import { repositories } from './repositories.ts'

export const git = {
  ...repositories,
  list_forge_deliveries,
  retry_forge_delivery,
  record_changes,
  list_changes,
  get_change,
  link_change,
  unlink_change,
  list_authors,
  put_authors,
} as const
