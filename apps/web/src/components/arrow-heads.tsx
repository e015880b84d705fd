interface ArrowHeadsProps<Kind extends string> {
  /** One head of each kind, named `<prefix>-<kind>`. */
  readonly prefix: string
  readonly kinds: readonly Kind[]
  /** px, or times the width of the line. */
  readonly size: number
  readonly units?: 'userSpaceOnUse'
}

/** The heads of lines in a drawing, to which its lines refer by their ids. */
export const ArrowHeads = <Kind extends string>({ prefix, kinds, size, units }: ArrowHeadsProps<Kind>) => (
  <defs>
    {kinds.map(kind => (
      <marker
        key={kind}
        id={`${prefix}-${kind}`}
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerUnits={units}
        markerWidth={size}
        markerHeight={size}
        orient="auto"
      >
        <path className={`arrow ${kind}`} d="M0 0.5 7 4 0 7.5Z" />
      </marker>
    ))}
  </defs>
)

/** A piece of a line, for the legend of a drawing. */
export const LegendLine = ({ kind }: { readonly kind?: string }) => (
  <svg width="24" height="8" aria-hidden="true">
    <path className={kind} d="M0 4h24" />
  </svg>
)
