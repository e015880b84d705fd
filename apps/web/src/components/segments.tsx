interface SegmentsProps<Value extends string> {
  readonly label: string
  /** The choices, by label. */
  readonly options: Readonly<Record<Value, string>>
  /** The values in the order in which they are shown. */
  readonly values: readonly Value[]
  readonly chosen: Value
  readonly onChoose: (value: Value) => void
}

/** A few choices side by side, of which one is pressed. */
export const Segments = <Value extends string>({ label, options, values, chosen, onChoose }: SegmentsProps<Value>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's
  <div className="segments" role="group" aria-label={label}>
    {values.map(value => (
      <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
        {options[value]}
      </button>
    ))}
  </div>
)
