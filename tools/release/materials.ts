import { root } from '../package/root.ts'
import { pnpm } from './run.ts'

/**
 * Writes the bill of materials in CycloneDX: everything that the package contains or depends on.
 * @returns the file
 */
export function materialsIn(file: string): string {
  pnpm(root, 'sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--prod', '--out', file)
  return file
}

/** The packages that validate bills of materials: the library of CycloneDX, and what it needs to read JSON. */
export const materialsTools = [
  '@cyclonedx/cyclonedx-library@10.3.0',
  'ajv@8.20.0',
  'ajv-formats@3.0.1',
  'ajv-formats-draft2019@1.6.1',
]

/**
 * Returns `fits` for a bill of materials that matches the strict schema of its version and has components, otherwise
 * its faults.
 */
export const materialsScript = `
  import { readFileSync } from 'node:fs'
  import { Validation } from '@cyclonedx/cyclonedx-library'
  const text = readFileSync(process.argv[1], 'utf8')
  const { specVersion, components } = JSON.parse(text)
  const faults = await new Validation.JsonStrictValidator(specVersion).validate(text)
  console.log(faults === null && components.length > 0 ? 'fits ' + specVersion : JSON.stringify(faults))`
