import { createContext, useContext } from 'react'

/** Whether Tab leads to the controls of a row: to those of one row, the arrows lead to the others. */
export const RowTab = createContext<0 | -1>(0)

export const useRowTab = (): 0 | -1 => useContext(RowTab)
