import { Select, type SelectProps } from './select.tsx'

/** One of a few things, with a label above. */
export const Choice = <Value extends string>(select: SelectProps<Value>) => (
  <label className="field">
    <span>{select.label}</span>
    <Select {...select} />
  </label>
)
