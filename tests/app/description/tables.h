// Shared by the tests of tables: a Lua state, and tables read where an error ends the reading.
#ifndef TESTS_APP_DESCRIPTION_TABLES_H
#define TESTS_APP_DESCRIPTION_TABLES_H

#include "app/description/reader.h"
#include "base/arena.h"
#include "support/context.h"

extern lua_State *L; // from set_up_lua() to tear_down_lua()

int set_up_lua(void **state);
int tear_down_lua(void **state);

/// Reads the value at a stack index.
typedef void reading(reader *r, int table);

/// Reads a table that a Lua expression gives.   @return the error; "" if it is accepted
const char *said_of(const char *table, reading *by);

/// Fails the test unless the error begins with this path of keys; "": unless the table is taken.
void expect_said(const char *table, reading *by, const char *where);

#endif
