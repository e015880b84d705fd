import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { webFolder } from './sources.ts'

/** Adds the licence of the fonts to the build, as it requires. */
export const fontLicence = (): Plugin => ({
  name: 'specboard-font-licence',
  apply: 'build',
  generateBundle() {
    const source = readFileSync(join(webFolder, 'src/styles/fonts/OFL.txt'), 'utf8')
    this.emitFile({ type: 'asset', fileName: 'assets/geist-OFL.txt', source })
  },
})
