/**
 * Removes `__proto__` from all objects, so that no key of that name leads to a prototype (walls 2, rule 2). Each thread
 * and process of the service begins with it: the base prototypes belong to a thread.
 */
Reflect.deleteProperty(Object.prototype, '__proto__')
