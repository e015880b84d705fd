import { Empty } from '../../components/empty.tsx'
import { Notice } from '../../components/fault.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { RefusalView } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { Sample } from './sample.tsx'

const refusal = {
  code: 'COVERAGE_REQUIRED',
  message: 'Two scenarios have no card.',
  missing: [
    { text: 'Warm oven (draft)', ref: 'SPE-3' },
    { text: 'Cold oven', ref: null },
  ],
  heldBy: ['Ada'],
  nextActions: [],
}

const text = `## Dough

Mix **flour** with *water*, see SPE-3 and [the recipe](https://example.com).

- [x] Flour
- [ ] Water

| Part | Grams |
|---|---:|
| Flour | 500 |

\`\`\`ts
const loaf = bake(dough)
\`\`\`

> Salt comes last.`

const rows = [
  { name: 'Bread', count: 12 },
  { name: 'خبز', count: 4 },
]

/** Texts, tables, refusals, faults and empty states. */
export const Messages = () => (
  <>
    <Sample title="Refusal">
      <div className="design-wide">
        <RefusalView refusal={refusal} />
      </div>
    </Sample>
    <Sample title="Fault">
      <Notice title="Specboard cannot be reached" lead="The network is down. What you typed is kept." isPassing />
    </Sample>
    <Sample title="Nothing yet">
      <div className="design-wide">
        <Empty title="This board has no cards yet." lead="A card is one piece of work.">
          <button type="button" className="button">
            Add the first card
          </button>
        </Empty>
      </div>
    </Sample>
    <Sample title="Loading">
      <span className="skeleton design-skeleton" />
      <span className="skeleton design-skeleton" />
    </Sample>
    <Sample title="Section and table">
      <div className="design-wide">
        <Section title="Loaves" count={2} note="16 in all">
          <Table
            caption="Loaves"
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              { label: 'Name', cell: ({ name }) => name },
              { label: 'Count', isNumber: true, cell: ({ count }) => count },
            ]}
          />
        </Section>
      </div>
    </Sample>
    <Sample title="Markdown">
      <div className="design-wide">
        <Markdown text={text} />
      </div>
    </Sample>
  </>
)
