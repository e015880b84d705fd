import { useState } from 'react'
import { Choice } from '../../components/choice.tsx'
import { DateField, InputField, TextField, TimeField } from '../../components/field.tsx'
import { FileField } from '../../components/file-field.tsx'
import { Input } from '../../components/input.tsx'
import { Select } from '../../components/select.tsx'
import type { Allowance } from '../../data/rights.ts'
import type { Theme } from '../../preferences.ts'
import { Sample } from './sample.tsx'

const forbidden: Allowance = { state: 'forbidden', permission: 'CARDS_UPDATE', held_by: [] }

const options = [
  { value: 'bread', label: 'Bread' },
  { value: 'cake', label: 'Cake' },
] as const

/** What is typed or chosen. */
export function Fields({ theme }: { readonly theme: Theme }) {
  const [chosen, setChosen] = useState<'bread' | 'cake' | ''>('bread')
  return (
    <>
      <Sample title="Fields">
        <InputField label="Empty" placeholder="What it is called" />
        <InputField label="Filled" defaultValue="Sourdough" />
        <InputField label="Refused" defaultValue="?" aria-invalid="true" />
        <InputField label="Disabled" defaultValue="Sourdough" disabled />
        <InputField label="Closed" defaultValue="Sourdough" allowed={forbidden} />
        <DateField label="Date" defaultValue="2026-11-28" />
        <DateField label="No date" />
        <DateField label="Date of this year" defaultValue="2026-11-28" min="2026-01-01" max="2026-12-31" />
        <DateField label="Closed date" defaultValue="2026-11-28" allowed={forbidden} />
        <TimeField label="Time" defaultValue="19:30" />
        <TimeField label="Closed time" defaultValue="19:30" allowed={forbidden} />
        <InputField label="Number" type="number" defaultValue="12" />
        <InputField label="Password" type="password" defaultValue="secret" />
        <FileField label="File" onChoose={() => {}} />
        <TextField label="Several lines" defaultValue={'Flour\nWater\nSalt'} rows={3} />
      </Sample>
      <Sample title="Choices">
        <Select label={`Select, ${theme}`} value={chosen} none="None" options={options} onChange={setChosen} />
        <Select label={`Disabled, ${theme}`} value="bread" options={options} onChange={() => {}} disabled />
        <Select label={`Closed, ${theme}`} value="bread" options={options} onChange={() => {}} allowed={forbidden} />
        <Choice label="Choice" value={chosen} options={options} onChange={setChosen} />
        <label className="row">
          <Input type="checkbox" defaultChecked /> Ticked
        </label>
        <label className="row">
          <Input type="checkbox" /> Not ticked
        </label>
        <label className="row">
          <Input type="checkbox" allowed={forbidden} /> Closed
        </label>
        <label className="row">
          <Input type="radio" name={`radio-${theme}`} defaultChecked /> One
        </label>
        <label className="row">
          <Input type="radio" name={`radio-${theme}`} /> Other
        </label>
      </Sample>
    </>
  )
}
