import { createContext, useContext } from 'react'
import type { FieldValues } from '../data/drafts.ts'

/** The kept values of the form around a field. */
export const DraftedFields = createContext<FieldValues>({})

/** The kept value of a field; undefined if none is kept. */
export const useDrafted = (name: string | undefined): readonly string[] | undefined => {
  const drafted = useContext(DraftedFields)
  return name === undefined ? undefined : drafted[name]
}
