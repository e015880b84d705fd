import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Variables } from './credentials.ts'

const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : ['']

/** Whether a program is on the `PATH`. */
export const isOnPath = (program: string, { PATH: path = '' }: Variables): boolean =>
  path !== '' &&
  path.split(delimiter).some(folder => endings.some(ending => existsSync(join(folder, program + ending))))
