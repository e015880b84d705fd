import { Icon, type IconName } from '../../components/icon.tsx'
import { paths } from '../../components/lucide.ts'
import { Sample } from './sample.tsx'

/** The colours of `tokens.css`, by what they are for. */
const colours = {
  Surfaces: ['bg', 'surface', 'surface-2', 'surface-3', 'raised', 'selected'],
  Lines: ['line-soft', 'line', 'line-strong', 'line-control'],
  Text: ['text', 'text-2', 'text-3'],
  Accent: ['accent', 'accent-hover', 'accent-text', 'accent-soft', 'accent-line'],
  Verdicts: ['ok', 'ok-soft', 'warn', 'warn-soft', 'bad', 'bad-soft'],
  Statuses: ['st-todo', 'st-started', 'st-progress', 'st-validation', 'st-hold', 'st-done', 'st-cancelled'],
} as const

const letters = [11, 12, 13, 14, 16, 20, 26] as const

/** Colours, font sizes and icons. */
export const Foundations = () => (
  <>
    {Object.entries(colours).map(([name, tokens]) => (
      <Sample key={name} title={name}>
        {tokens.map(token => (
          <div key={token} className="design-colour">
            <svg width="64" height="32" aria-hidden="true">
              <rect width="64" height="32" rx="6" style={{ fill: `var(--${token})` }} />
            </svg>
            <small>{token}</small>
          </div>
        ))}
      </Sample>
    ))}
    <Sample title="Letters">
      <div className="stack">
        {letters.map(size => (
          <p key={size} style={{ font: `var(--t-${size})` }}>
            {size} The oven is warm at 06:45. خبز <code>SPE-14</code>
          </p>
        ))}
      </div>
    </Sample>
    <Sample title="Icons">
      {(Object.keys(paths) as IconName[]).map(name => (
        <span key={name} className="design-icon" title={name}>
          <Icon name={name} />
          <small>{name}</small>
        </span>
      ))}
    </Sample>
  </>
)
