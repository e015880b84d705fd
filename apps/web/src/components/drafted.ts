import { createContext, useContext } from 'react'
import type { FieldValues } from '../data/drafts.ts'

/** What was kept of the form around a field. */
export const DraftedFields = createContext<FieldValues>({})

/** What was kept of a field; undefined where nothing was. */
export const useDrafted = (name: string | undefined): readonly string[] | undefined => {
  const drafted = useContext(DraftedFields)
  return name === undefined ? undefined : drafted[name]
}
