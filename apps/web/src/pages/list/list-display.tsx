import { messages } from '../../messages/messages.ts'
import { type TableChoices, TableDisplay } from '../../table/table-display.tsx'
import type { DisplayProps } from '../board/display-props.ts'
import { choosable, columnOrder, defaultOptions, groupings } from './card-columns.tsx'

const choices: TableChoices = {
  order: columnOrder,
  choosable,
  groupings,
  usual: defaultOptions,
  labels: messages.list.columns,
  unsorted: messages.list.display.noSort,
}

/** The display options of the list of cards. */
export const ListDisplay = (display: DisplayProps) => <TableDisplay {...display} choices={choices} />
