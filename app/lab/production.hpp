// What the laboratory (app/lab/) measures of the engines, the dispatcher and the messages of ranks: the classes that a
// search is made of, which no other program is to use. An engine that changes one of these changes it for app/lab/,
// too.
#pragma once

#include "cluster/member.hpp"
#include "cluster/messages.hpp"
#include "engine/boxes/plan.hpp"
#include "engine/boxes/search.hpp"
#include "engine/compaction.hpp"
#include "engine/cpu_modes.hpp"
#include "engine/domains/plan.hpp"
#include "engine/domains/search.hpp"
#include "engine/domains/tunables.hpp"
#include "engine/engine.hpp"
#include "engine/launcher.hpp"
#include "engine/phase/engine.hpp"
#include "engine/phase/plan.hpp"
#include "engine/phase/reference.hpp"
#include "engine/phase/search.hpp"
#include "engine/phase/tunables.hpp"
#include "engine/wide/batch.hpp"
#include "engine/wide/model.hpp"
#include "engine/wide/plan.hpp"
#include "engine/wide/search.hpp"
#include "engine/wide/tunables.hpp"
#include "polynomial/scaled_function.hpp"
#include "search/dispatcher.hpp"
