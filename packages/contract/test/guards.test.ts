import { expect, test } from 'vitest'
import { z } from 'zod'
import { registry } from '../src/mod.ts'

const takesRev = registry.filter(({ body }) => body instanceof z.ZodObject && 'expected_rev' in body.shape)

test.each(takesRev.map(operation => [operation.name, operation] as const))(
  '%s says that two guards which differ are refused (crew 2.2)',
  (_, { errors }) => {
    expect(errors).toContain('VALIDATION_ERROR')
  },
)
