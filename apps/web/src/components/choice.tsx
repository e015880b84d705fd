import { Select, type SelectProps } from './select.tsx'

/** A select with a label above it. */
export const Choice = <Value extends string>(select: SelectProps<Value>) => (
  <label className="field">
    <span>{select.label}</span>
    <Select {...select} />
  </label>
)
