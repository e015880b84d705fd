interface Column {
  readonly label: string
  /** From the bottom up, as many as there are names. */
  readonly values: readonly number[]
}

interface StackedColumnsProps {
  readonly label: string
  readonly names: readonly string[]
  readonly columns: readonly Column[]
}

const width = 28
const gap = 8
const height = 140
const foot = 24

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Values over time, stacked by kind. */
export function StackedColumns({ label, names, columns }: StackedColumnsProps) {
  const most = Math.max(1, ...columns.map(({ values }) => sum(values)))
  const heightOf = (value: number): number => (value / most) * (height - 16)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must take the focus */}
      <section className="columns" tabIndex={0} aria-label={label}>
        <svg
          width={columns.length * (width + gap)}
          height={height + foot}
          role="img"
          aria-label={columns.map(({ label: at, values }) => `${at}: ${sum(values)}`).join(', ')}
        >
          {columns.map(({ label: at, values }, index) => {
            const x = index * (width + gap)
            return (
              <g key={at}>
                {values.map((value, kind) => (
                  <rect
                    key={names[kind]}
                    className={`stack-${kind}`}
                    x={x}
                    y={height - heightOf(sum(values.slice(0, kind + 1)))}
                    width={width}
                    height={heightOf(value)}
                  >
                    <title>{`${names[kind]}: ${value}`}</title>
                  </rect>
                ))}
                <text x={x + width / 2} y={height - heightOf(sum(values)) - 4} textAnchor="middle">
                  {sum(values) > 0 ? sum(values) : ''}
                </text>
                {/* Every second one, so that they do not meet. */}
                {(columns.length - index) % 2 === 1 && (
                  <text x={x + width / 2} y={height + 16} textAnchor="middle">
                    {at}
                  </text>
                )}
              </g>
            )
          })}
          <line x1="0" y1={height} x2={columns.length * (width + gap)} y2={height} />
        </svg>
      </section>
      <ul className="plain row wrap legend">
        {names.map((name, kind) => (
          <li key={name} className="row">
            <svg width="10" height="10" aria-hidden="true">
              <rect className={`stack-${kind}`} width="10" height="10" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </>
  )
}
